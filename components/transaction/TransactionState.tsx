"use client";
/**
 * Shows the state that a transaction changed, before and after: balances, nonces, code and storage. The data comes from
 * the prestate tracer in diff mode.
 */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { NativeAmount } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { Icon } from "@/components/atoms/Icon";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { ChangedUnits } from "@/components/transaction/SlotParts";
import { listStorageChanges, StateSlots } from "@/components/transaction/StateSlots";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { isFailed, toRevertText } from "@/components/transaction/transactionItems";
import { isSameAddress } from "@/lib/contracts";
import { listMovements } from "@/lib/decode/transfers";
import { plural } from "@/lib/plural";
import { blockSummaryQuery, transactionQuery } from "@/lib/query/queries";
import { type AccountState, type StateDiff, stateDiffQuery } from "@/lib/query/transaction";
import type { WireReceipt } from "@/lib/query/wire";
import { formatBytes, formatInteger } from "@/lib/units";

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

type Row = {
  address: string;
  pre: AccountState | undefined;
  post: AccountState | undefined;
  /** Whether the block's tips go to this account. */
  isFeeRecipient: boolean;
};

function Diff({ diff, receipt }: { diff: StateDiff; receipt: WireReceipt }) {
  const source = useSource();
  const { data: transaction } = useQuery(transactionQuery(source, receipt.transactionHash));
  const { data: blocks } = useQuery(blockSummaryQuery(source, Number(receipt.blockNumber)));
  const feeRecipient = blocks?.items[0]?.miner;
  const addresses = [...new Set([...Object.keys(diff.pre), ...Object.keys(diff.post)])];
  const keys = useMemo(
    () => listKeys([...Object.keys(diff.pre), ...Object.keys(diff.post)], receipt, transaction?.input ?? "0x"),
    [diff, receipt, transaction],
  );
  const rows = addresses
    .map(
      (address): Row => ({
        address,
        pre: diff.pre[address],
        post: diff.post[address],
        isFeeRecipient: address === feeRecipient,
      }),
    )
    .toSorted((a, b) => toRank(a, receipt.from) - toRank(b, receipt.from));
  const shown = rows.filter(hasAccountChange);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Sheet id="state" title="Accounts">
        {isFailed(receipt) && <p className="border-line border-b px-4 py-3 text-ink-2">{toRevertText(receipt.type)}</p>}
        {rows.length === 0 && <Empty title="No state changes" />}
        {shown.length > 0 && (
          <DataTable caption="Accounts" columns={columns} rows={shown} getKey={({ address }) => address} stacked />
        )}
      </Sheet>
      {rows.map(({ address, pre, post }) => (
        <Storage key={address} address={address} pre={pre} post={post} keys={keys} receipt={receipt} />
      ))}
    </div>
  );
}

/** The sender comes first. The fee recipient comes last, unless it sent the transaction. */
function toRank({ address, isFeeRecipient }: Row, sender: string): number {
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

/** The values before and after; undefined if nothing changed. The tracer's `post` omits unchanged values. */
function toPair<T>(before: T | undefined, after: T | undefined): { before: T | undefined; after: T } | undefined {
  return after === undefined || before === after ? undefined : { before, after };
}

/** The tracer lists a deleted account only in `pre`. */
const isGone = ({ pre, post }: Row) => pre !== undefined && post === undefined;
const toBalances = (row: Row) => toPair(row.pre?.balance, isGone(row) ? ("0x0" as const) : row.post?.balance);
const toNonces = ({ pre, post }: Row) => toPair(pre?.nonce, post?.nonce);
const hasAccountChange = (row: Row) =>
  isGone(row) || row.post?.code !== undefined || toBalances(row) !== undefined || toNonces(row) !== undefined;

const columns: Column<Row>[] = [
  {
    id: "account",
    head: "Account",
    narrow: "lead",
    cell: (row) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <AddressLink contract={Boolean(row.pre?.code ?? row.post?.code)} address={row.address} />
        {row.pre === undefined && <span className="method">created</span>}
        {isGone(row) && <span className="method">destroyed</span>}
        {row.isFeeRecipient && <span className="method">fee recipient</span>}
        <CodeChange row={row} />
      </span>
    ),
  },
  { id: "nonce", head: "Nonce", width: "md:w-22 lg:w-28", narrow: "belowTrail", cell: (row) => <Nonces row={row} /> },
  {
    id: "before",
    head: "Balance before",
    align: "right",
    width: "lg:w-60 max-lg:hidden",
    cell: (row) => <Balance at="before" row={row} isAligned />,
  },
  {
    id: "after",
    head: "Balance after",
    align: "right",
    width: "lg:w-60 max-lg:hidden",
    cell: (row) => <Balance at="after" row={row} isAligned />,
  },
  {
    id: "balances",
    head: "Balance",
    width: "md:w-62 lg:hidden",
    narrow: "below",
    cell: (row) =>
      toBalances(row) && (
        <span className="flex flex-col">
          <span className="pl-6">
            <Balance at="before" row={row} />
          </span>
          <span className="flex items-center gap-x-2">
            <Icon name="arrow" className="text-ink-3" />
            <Balance at="after" row={row} />
          </span>
        </span>
      ),
  },
  {
    id: "change",
    head: "Change",
    align: "right",
    width: "md:w-60",
    narrow: "trail",
    cell: (row) => <Change row={row} />,
  },
];

function CodeChange({ row: { pre, post } }: { row: Row }) {
  if (post?.code === undefined) return null;
  return (
    <span className="identifier text-ink-2">
      {pre?.code ? "code changed to" : "code,"} {formatBytes((post.code.length - 2) / 2)}
      <Copy value={post.code} what="code" />
    </span>
  );
}

function Nonces({ row }: { row: Row }): ReactNode {
  const nonces = toNonces(row);
  if (!nonces) return null;
  return (
    <span className="inline-flex items-center gap-x-1.5">
      <span className="text-ink-2 md:hidden">nonce</span>
      {formatInteger(nonces.before ?? 0)}
      <Icon name="arrow" className="text-ink-3" />
      {formatInteger(nonces.after)}
    </span>
  );
}

/** Renders nothing if the balance didn't change. */
function Balance({ at, row, isAligned = false }: { at: "before" | "after"; row: Row; isAligned?: boolean }) {
  const { nativeCurrency } = useNetwork();
  const balances = toBalances(row);
  if (!balances) return null;
  const { before = 0, after } = balances;
  const [units, other] = at === "before" ? [before, after] : [after, before];
  return <ChangedUnits units={BigInt(units)} other={BigInt(other)} unit={nativeCurrency} isAligned={isAligned} />;
}

function Change({ row }: { row: Row }) {
  const balances = toBalances(row);
  const { nativeCurrency } = useNetwork();
  const difference = balances ? BigInt(balances.after) - BigInt(balances.before ?? 0) : 0n;
  if (difference === 0n) return null;
  return (
    <span className={`inline-flex max-lg:[&_.fill]:hidden ${difference > 0n ? "text-pos" : "text-neg"}`}>
      {difference > 0n ? "+" : "−"}
      <NativeAmount wei={difference > 0n ? difference : -difference} fractionDigits={nativeCurrency.decimals} />
    </span>
  );
}

function Storage({
  address,
  pre,
  post,
  keys,
  receipt,
}: Omit<Row, "isFeeRecipient"> & { keys: string[]; receipt: WireReceipt }) {
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
