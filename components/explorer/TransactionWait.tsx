"use client";
/**
 * Why a transaction is not mined yet, from what the pool and the head say: an earlier nonce that is missing, or a fee
 * below the base fee.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/chain/AddressLink";
import { GasPrice } from "@/components/chain/Amount";
import { useSource } from "@/components/chain/NetworkContext";
import { Status, toStatusName } from "@/components/chain/Status";
import { Text } from "@/components/chain/Text";
import { TxLink } from "@/components/chain/TxLink";
import { transactionMessages as messages } from "@/lib/messages/enTransaction";
import { t } from "@/lib/messages/translateTransaction";
import { nonceQuery, poolStatusQuery } from "@/lib/query/queries";
import { latestBlockQuery, senderPoolQuery } from "@/lib/query/transaction";
import type { WireTransaction } from "@/lib/query/wire";
import { toQuantity } from "@/lib/units";

const alive = ["pending", "queued"];

/** The first nonce from the account's own up to this one that no waiting transaction has. */
export function findMissingNonce(
  next: number,
  nonce: number,
  waiting: Record<string, { status: string }>,
): number | undefined {
  for (let candidate = next; candidate < nonce; candidate++) {
    if (!alive.includes(waiting[toQuantity(candidate)]?.status ?? "")) return candidate;
  }
  return undefined;
}

export function TransactionWait({ transaction }: { transaction: WireTransaction }) {
  const source = useSource();
  const { data: pool } = useQuery(poolStatusQuery(source, transaction.hash));
  const { data: waiting } = useQuery(senderPoolQuery(source, transaction.from));
  const { data: next } = useQuery(nonceQuery(source, transaction.from));
  const { data: head } = useQuery(latestBlockQuery(source));
  const nonce = Number(transaction.nonce);
  const missing = waiting && next !== undefined ? findMissingNonce(Number(next), nonce, waiting) : undefined;
  const offered = BigInt(transaction.maxFeePerGas ?? transaction.gasPrice);
  const baseFee = head?.baseFeePerGas ? BigInt(head.baseFeePerGas) : 0n;
  const before = waiting?.[toQuantity(nonce - 1)];
  return (
    <section className="notice notice-warn" aria-label={t("wait.label")}>
      <div className="flex min-w-0 flex-col gap-1">
        <Status name={toStatusName(pool?.status ?? "pending")} />
        <div className="flex flex-col text-ink-2">
          {missing !== undefined ? (
            <p>
              <Text
                text={messages["wait.nonce"]}
                values={{ nonce, missing, sender: <AddressLink address={transaction.from} />, next: Number(next) }}
              />
            </p>
          ) : offered < baseFee ? (
            <p>
              <Text
                text={messages["wait.fee"]}
                values={{ offered: <GasPrice wei={offered} />, baseFee: <GasPrice wei={baseFee} /> }}
              />
            </p>
          ) : next !== undefined && Number(next) < nonce && before ? (
            <p>
              <Text text={messages["wait.before"]} values={{ before: <TxLink hash={before.hash} /> }} />
            </p>
          ) : (
            <p>{pool?.reason ?? t("pool.pending")}</p>
          )}
          <p>{t("wait.watching")}</p>
        </div>
      </div>
    </section>
  );
}
