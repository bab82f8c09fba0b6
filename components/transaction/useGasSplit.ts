"use client";
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { toGasSplit, transferGas } from "@/lib/decode/gasSplit";
import { ownCallQuery } from "@/lib/query/transaction";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";

/** What the transaction spent its gas on. Undefined until the transaction's top-level call is loaded. */
export function useGasSplit(transaction: WireTransaction, receipt: WireReceipt) {
  const enabled = BigInt(receipt.gasUsed) !== transferGas;
  const { data: own, isPending } = useQuery({ ...ownCallQuery(useSource(), transaction.hash), enabled });
  return enabled && isPending ? undefined : toGasSplit(transaction, receipt, own ?? undefined);
}
