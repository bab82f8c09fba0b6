/** Reads facts about a payment from the ledger and the chain, each as soon as it is available. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import type { ChainFacts } from "@/lib/payflow/chainSteps";
import type { BalanceChange } from "@/lib/payflow/flow";
import {
  finalizedBlockQuery,
  paymentQuery,
  receiptQuery,
  tokenBalanceQuery,
  transactionQuery,
} from "@/lib/query/queries";
import { decodeQuery, rawTransactionQuery } from "@/lib/query/transaction";
import type { Payment } from "@/lib/query/wire";

/** The facts about the payment with this ID. There are none while the ID is undefined. */
export function useFactsOf(id: string | undefined): ChainFacts {
  const { source } = useNetworkContext();
  const { data: found } = useQuery({ ...paymentQuery(source, id ?? ""), enabled: id !== undefined });
  const payment = found?.find((candidate) => candidate.id === id);
  const hash = payment?.transaction ?? "";
  const isSent = hash !== "";
  const { data: receipt } = useQuery({ ...receiptQuery(source, hash), enabled: isSent });
  const { data: transaction } = useQuery({ ...transactionQuery(source, hash), enabled: isSent });
  const { data: raw } = useQuery({ ...rawTransactionQuery(source, hash), enabled: isSent });
  const input = transaction?.input;
  const { data: readings } = useQuery({
    ...decodeQuery(source, [{ kind: "call", data: input ?? "0x" }]),
    enabled: input !== undefined,
  });
  const { data: final } = useQuery({ ...finalizedBlockQuery(source), enabled: isSent });
  const balances = useBalances(payment, receipt ? Number(receipt.blockNumber) : undefined);
  return {
    payment,
    receipt: receipt ?? undefined,
    raw: raw ?? undefined,
    to: transaction?.to ?? undefined,
    readings: readings?.[0],
    finalized: final?.number == null ? undefined : Number(final.number),
    balances,
  };
}

/** Compares the balances before the block with those after it, so that later transactions don't affect the result. */
function useBalances(payment: Payment | undefined, block: number | undefined): BalanceChange[] | undefined {
  const { source } = useNetworkContext();
  const enabled = payment !== undefined && block !== undefined;
  const { asset = "", payer = "", payee = "" } = payment ?? {};
  const at = block ?? 1;
  const payerBefore = useQuery({ ...tokenBalanceQuery(source, asset, payer, at - 1), enabled });
  const payerAfter = useQuery({ ...tokenBalanceQuery(source, asset, payer, at), enabled });
  const payeeBefore = useQuery({ ...tokenBalanceQuery(source, asset, payee, at - 1), enabled });
  const payeeAfter = useQuery({ ...tokenBalanceQuery(source, asset, payee, at), enabled });
  const words = [payerBefore.data, payerAfter.data, payeeBefore.data, payeeAfter.data];
  // A node without historical state returns an error. The payment is then shown without balances.
  const units = words.map((word) => (word === undefined || word === "0x" ? undefined : BigInt(word).toString()));
  const [one, two, three, four] = units;
  if (!enabled || one === undefined || two === undefined || three === undefined || four === undefined) return undefined;
  return [
    { party: "payer", address: payer, before: one, after: two },
    { party: "payee", address: payee, before: three, after: four },
  ];
}
