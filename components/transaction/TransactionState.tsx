"use client";
/**
 * Shows the state that a transaction changed, before and after: balances, nonces, code and storage. The data comes from
 * the prestate tracer in diff mode.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount } from "@/components/atoms/Amount";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import {
  type AccountRow,
  hasChanged,
  hasNonce,
  StateAccounts,
  toCostUnit,
} from "@/components/transaction/StateAccounts";
import { listStorageChanges, StateSlots } from "@/components/transaction/StateSlots";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { isFailed, toRevertText } from "@/components/transaction/transactionItems";
import { isSameAddress } from "@/lib/contracts";
import { toBurnedWei } from "@/lib/decode/internals";
import { listMovements } from "@/lib/decode/transfers";
import { plural } from "@/lib/plural";
import { blockSummaryQuery, transactionQuery } from "@/lib/query/queries";
import { type StateDiff, stateDiffQuery } from "@/lib/query/transaction";
import type { WireReceipt } from "@/lib/query/wire";

export function TransactionState({ hash }: { hash: string }) {
  const query = stateDiffQuery(useSource(), hash);
  return (
    <TransactionMined hash={hash}>
      {(receipt) => (
        <QueryContent framed query={query} rows={6} label="Comparing the state before and after">
          {(diff) => <Diff diff={diff} receipt={receipt} />}
        </QueryContent>
      )}
    </TransactionMined>
  );
}

function Diff({ diff, receipt }: { diff: StateDiff; receipt: WireReceipt }) {
  const source = useSource();
  const { data: transaction } = useQuery(transactionQuery(source, receipt.transactionHash));
  const { data: blocks } = useQuery(blockSummaryQuery(source, Number(receipt.blockNumber)));
  const feeRecipient = blocks?.items[0]?.miner;
  const { baseFeeWei, blobFeeWei } = toBurnedWei(receipt, blocks?.items[0]?.baseFeePerGas);
  const addresses = [...new Set([...Object.keys(diff.pre), ...Object.keys(diff.post)])];
  const keys = useMemo(
    () => listKeys([...Object.keys(diff.pre), ...Object.keys(diff.post)], receipt, transaction?.input ?? "0x"),
    [diff, receipt, transaction],
  );
  const rows = addresses
    .map(
      (address): AccountRow => ({
        address,
        pre: diff.pre[address],
        post: diff.post[address],
        isFeeRecipient: address === feeRecipient,
      }),
    )
    .toSorted((a, b) => toRank(a, receipt.from) - toRank(b, receipt.from));
  // The sheets of the storage show the accounts of which nothing else changed.
  const changed = rows.filter((row) => hasChanged(row) || hasNonce(row));
  const accounts = (
    <Sheet
      id="state"
      title={changed.some(({ post }) => post?.code !== undefined) ? "Balances, nonces and code" : "Balances and nonces"}
    >
      {isFailed(receipt) && <p className="border-line border-b px-4 py-3 text-ink-2">{toRevertText(receipt.type)}</p>}
      {changed.length === 0 ? <Empty title="No state changes" /> : <StateAccounts rows={changed} />}
      {changed.length > 0 && baseFeeWei + blobFeeWei > 0n && (
        <p className="border-line border-t px-4 py-2 text-13 text-ink-2">
          The base fee, <Burned wei={baseFeeWei} />,{" "}
          {blobFeeWei > 0n ? (
            <>
              and the blob fee, <Burned wei={blobFeeWei} />, were burned.
            </>
          ) : (
            "was burned."
          )}
        </p>
      )}
    </Sheet>
  );
  // If at most the fee recipient changed besides the sender, only the fee was paid, so the tokens' storage comes first.
  const isFirst = rows.filter((row) => !isSameAddress(row.address, receipt.from) && hasChanged(row)).length > 1;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {isFirst && accounts}
      {rows.map(({ address, pre, post }) => (
        <Storage key={address} address={address} pre={pre} post={post} keys={keys} receipt={receipt} />
      ))}
      {!isFirst && accounts}
    </div>
  );
}

/** A burned fee, exact and in the unit of the changes, so that they add up. */
function Burned({ wei }: { wei: bigint }) {
  const { nativeCurrency } = useNetwork();
  return <Amount units={wei} unit={toCostUnit(wei, nativeCurrency)} digits={24} />;
}

/** The sender comes first. The fee recipient comes last, unless it sent the transaction. */
function toRank({ address, isFeeRecipient }: AccountRow, sender: string): number {
  if (isSameAddress(address, sender)) return 0;
  return isFeeRecipient ? 2 : 1;
}

/** Possible mapping keys: touched accounts, indexed topics, and words of the calldata. */
function listKeys(addresses: string[], receipt: WireReceipt, input: string): string[] {
  const topics = receipt.logs.flatMap((log) => log.topics.slice(1));
  const moved = listMovements(receipt.logs).flatMap(({ from, to }) => [from, to]);
  const words = input.slice(10, 10 + 64 * 40).match(/.{64}/g) ?? [];
  return [...new Set([...addresses, receipt.from, ...moved, ...topics, ...words.map((word) => `0x${word}`)])];
}

function Storage({
  address,
  pre,
  post,
  keys,
  receipt,
}: Omit<AccountRow, "isFeeRecipient"> & { keys: string[]; receipt: WireReceipt }) {
  const changes = useMemo(() => listStorageChanges(pre?.storage, post?.storage), [pre, post]);
  if (changes.length === 0) return null;
  return (
    <Sheet
      id={`storage-${address}`}
      title={<AddressLink contract address={address} />}
      aside={
        <span className="text-13 text-ink-2">
          {changes.length} storage {plural(changes.length, "slot")} changed
        </span>
      }
    >
      <StateSlots address={address} changes={changes} keys={keys} receipt={receipt} />
    </Sheet>
  );
}
