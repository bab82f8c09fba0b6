"use client";
/**
 * Why a transaction is not mined yet, according to the pool and the head: a missing earlier nonce, or a fee below the
 * base fee.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasPrice } from "@/components/atoms/Amount";
import { Status, toStatusName } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { useSource } from "@/components/layout/NetworkContext";
import { nonceQuery, poolStatusQuery } from "@/lib/query/queries";
import { latestBlockQuery, senderPoolQuery } from "@/lib/query/transaction";
import type { WireTransaction } from "@/lib/query/wire";
import { toQuantity } from "@/lib/units";

const alive = ["pending", "queued"];

/** The first and last nonce of the first gap between the account's current nonce and this one. */
function findMissingNonces(
  next: number,
  nonce: number,
  waiting: Record<string, { status: string }>,
): [number, number] | undefined {
  const isMissing = (candidate: number) =>
    candidate < nonce && !alive.includes(waiting[toQuantity(candidate)]?.status ?? "");
  for (let first = next; first < nonce; first++) {
    if (!isMissing(first)) continue;
    let last = first;
    while (isMissing(last + 1)) last++;
    return [first, last];
  }
  return undefined;
}

function toNonces([first, last]: [number, number]): string {
  return first === last ? `nonce ${first}` : `nonces ${first}–${last}`;
}

export function TransactionWait({ transaction }: { transaction: WireTransaction }) {
  const source = useSource();
  const { data: pool } = useQuery(poolStatusQuery(source, transaction.hash));
  const { data: waiting } = useQuery(senderPoolQuery(source, transaction.from));
  const { data: next } = useQuery(nonceQuery(source, transaction.from));
  const { data: head } = useQuery(latestBlockQuery(source));
  const nonce = Number(transaction.nonce);
  const missing = waiting && next !== undefined ? findMissingNonces(Number(next), nonce, waiting) : undefined;
  const offered = BigInt(transaction.maxFeePerGas ?? transaction.gasPrice);
  const baseFee = head?.baseFeePerGas ? BigInt(head.baseFeePerGas) : 0n;
  const before = waiting?.[toQuantity(nonce - 1)];
  return (
    <section className="notice notice-warn" aria-label="Why it is pending">
      <div className="flex min-w-0 flex-col gap-1">
        <Status name={toStatusName(pool?.status ?? "pending")} />
        <div className="flex flex-col text-ink-2">
          {missing !== undefined ? (
            <p>
              Nonce gap: waiting for {toNonces(missing)} from <AddressLink address={transaction.from} />.
            </p>
          ) : offered < baseFee ? (
            <p>
              It offers at most <GasPrice wei={offered} /> per gas, but the base fee is <GasPrice wei={baseFee} />. It
              stays pending until the base fee falls.
            </p>
          ) : next !== undefined && Number(next) < nonce && before ? (
            <p>
              Queued behind the sender’s previous transaction, <TxLink hash={before.hash} />.
            </p>
          ) : (
            <p>{pool?.reason ?? "Next in line to be mined"}</p>
          )}
          <p>This page updates when it is mined.</p>
        </div>
      </div>
    </section>
  );
}
