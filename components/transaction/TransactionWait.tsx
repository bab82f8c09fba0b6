"use client";
/**
 * Explains why a transaction isn't mined yet, and what its sender can do: fill a nonce gap, or replace the transaction
 * with one that pays a higher fee.
 */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { GasPrice } from "@/components/atoms/Amount";
import { Snippet } from "@/components/atoms/Snippet";
import { Status, toStatusName } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { findReplacement } from "@/components/pool/findReplacement";
import { Nonces } from "@/components/pool/Nonces";
import { listNonceGaps, type NonceGap } from "@/components/pool/nonceGaps";
import { toChecksumAddress } from "@/lib/address";
import { toSectionPath } from "@/lib/links";
import { toRpcPath } from "@/lib/networks";
import { poolQuery } from "@/lib/query/explorerQueries";
import { nonceQuery, poolStatusQuery } from "@/lib/query/queries";
import { latestBlockQuery, senderPoolQuery } from "@/lib/query/transaction";
import type { WireTransaction } from "@/lib/query/wire";
import { toQuantity } from "@/lib/units";

const alive = ["pending", "queued"];

/**
 * The minimum gas price for a replacement: 10% more than the old price, or twice the old price if the transaction has
 * blobs.
 */
function toReplacementWei(before: bigint, isBlob: boolean): bigint {
  return (before * (isBlob ? 200n : 110n) + 99n) / 100n;
}

export function TransactionWait({ transaction }: { transaction: WireTransaction }) {
  const source = useSource();
  const { network } = source;
  const { data: pool } = useQuery(poolStatusQuery(source, transaction.hash));
  const { data: view } = useQuery(poolQuery(source));
  const received = view?.senders
    .flatMap(({ transactions }) => transactions)
    .find(({ hash }) => hash === transaction.hash);
  const replaced = view?.left.find(({ reason }) => findReplacement(reason ?? "")?.hash === transaction.hash);
  const { data: waiting } = useQuery(senderPoolQuery(source, transaction.from));
  const { data: next } = useQuery(nonceQuery(source, transaction.from));
  const { data: head } = useQuery(latestBlockQuery(source));
  const nonce = Number(transaction.nonce);
  const present = Object.entries(waiting ?? {}).flatMap(([key, { status }]) =>
    alive.includes(status) ? [Number(key)] : [],
  );
  const gaps = waiting && next !== undefined ? listNonceGaps(Number(next), nonce, present) : [];
  const offered = BigInt(transaction.maxFeePerGas ?? transaction.gasPrice);
  const baseFee = head?.baseFeePerGas ? BigInt(head.baseFeePerGas) : 0n;
  const before = waiting?.[toQuantity(nonce - 1)];
  return (
    <section className="notice notice-warn" aria-label="Why it is pending">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-3">
          <Status name={toStatusName(pool?.status ?? "pending")} />
          {received && (
            <span className="text-ink-2">
              received <Age timestamp={Math.floor(Number(received.seenAt) / 1000)} />
            </span>
          )}
          {replaced && (
            <span className="flex items-center gap-x-1.5 text-ink-2">
              replaced <TxLink hash={replaced.hash} />
            </span>
          )}
        </p>
        {gaps.length > 0 ? (
          <>
            <p className="[&_.identifier]:gap-1">
              Nonce gap: waiting for <Nonces gaps={gaps} /> from <AddressLink address={transaction.from} />.
            </p>
            <GapCommand from={transaction.from} gaps={gaps} />
          </>
        ) : offered < baseFee ? (
          <p>
            It offers at most <GasPrice wei={offered} /> per gas, but the base fee is <GasPrice wei={baseFee} />. It can
            be mined once the base fee falls that low, or you can replace it with a higher offer.
          </p>
        ) : next !== undefined && Number(next) < nonce && before ? (
          <p>
            Queued behind the sender’s previous transaction, <TxLink hash={before.hash} />.
          </p>
        ) : (
          <p>{pool?.reason ?? "Next in line to be mined."}</p>
        )}
        <Replacement transaction={transaction} offered={offered} baseFee={baseFee} />
        <p>
          <AppLink href={toSectionPath(network, "txpool")} className="text-accent">
            Transaction pool
          </AppLink>
        </p>
      </div>
    </section>
  );
}

type ReplacementProps = { transaction: WireTransaction; offered: bigint; baseFee: bigint };

/** Explains how the sender can replace the transaction to speed it up or cancel it. */
function Replacement({ transaction, offered, baseFee }: ReplacementProps) {
  const isBlob = Number(transaction.type) === 3;
  const bumped = toReplacementWei(offered, isBlob);
  const maxFee = bumped > baseFee ? bumped : baseFee;
  const tip = toReplacementWei(BigInt(transaction.maxPriorityFeePerGas ?? transaction.gasPrice), isBlob);
  const nonce = Number(transaction.nonce);
  return (
    <Command summary="Speed up or cancel" from={transaction.from} nonce={nonce} fees={{ maxFee, tip }}>
      From the same account, send another transaction with nonce {nonce}, a max fee of at least{" "}
      <GasPrice wei={maxFee} /> and a priority fee of at least <GasPrice wei={tip} />. To speed it up, repeat the call.
      To cancel it:
    </Command>
  );
}

/** If more nonces are missing, the nonce is probably a mistake, so no command fills the gaps. */
const mostFilled = 100;

/** A command that fills the gaps: one transaction, or a loop. Without fees, cast chooses them. */
function GapCommand({ from, gaps }: { from: string; gaps: readonly NonceGap[] }) {
  if (gaps.reduce((sum, [start, end]) => sum + end - start + 1, 0) > mostFilled) return null;
  const [[first, last] = [0, 0]] = gaps;
  if (gaps.length === 1 && first === last) {
    return <Command isOpen summary={`Send nonce ${first}`} from={from} nonce={first} />;
  }
  const ranges = gaps.map(([start, end]) => (start === end ? start : `$(seq ${start} ${end})`));
  return <Command isOpen summary="Send the missing nonces" from={from} nonce="$nonce" loop={ranges.join(" ")} />;
}

/** A folded command that sends a transaction without value, or one for each nonce in `loop`. */
function Command({
  summary,
  from,
  nonce,
  fees,
  loop,
  isOpen = false,
  children,
}: {
  summary: string;
  from: string;
  nonce: number | string;
  fees?: { maxFee: bigint; tip: bigint };
  loop?: string;
  /** Whether it is unfolded at first. */
  isOpen?: boolean;
  children?: ReactNode;
}) {
  const { network, origin } = useNetworkContext();
  const lines = [
    `cast send ${toChecksumAddress(from)}`,
    `  --value 0 --nonce ${nonce}`,
    ...(fees ? [`  --gas-price ${fees.maxFee}`, `  --priority-gas-price ${fees.tip}`] : []),
    `  --rpc-url ${origin}${toRpcPath(network)}`,
    "  --private-key $PRIVATE_KEY",
  ];
  const indent = loop === undefined ? "" : "  ";
  const send = lines.map((line) => indent + line).join(" \\\n");
  const command = loop === undefined ? send : `for nonce in ${loop}; do\n${send}\ndone`;
  return (
    <details open={isOpen}>
      <summary className="w-fit cursor-pointer text-accent hover:underline">{summary}</summary>
      {children && <p className="py-1 text-ink-2">{children}</p>}
      <div className="my-1.5 border border-line">
        <Snippet what="command" code={command} />
      </div>
    </details>
  );
}
