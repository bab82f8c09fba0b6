"use client";
/**
 * A transaction's state changes: balances, nonces, code and storage before and after, from the prestate tracer's diff.
 * Storage slots are named if their hash can be recomputed from values that the transaction touched.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { NativeAmount, TokenAmount } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Icon } from "@/components/atoms/Icon";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { isFailed, toRevertText } from "@/components/transaction/transactionItems";
import { findWordAddress, nameSlots, type SlotName } from "@/lib/decode/slots";
import { listMovements } from "@/lib/decode/transfers";
import { findToken } from "@/lib/networks";
import { plural } from "@/lib/plural";
import { transactionQuery } from "@/lib/query/queries";
import { type AccountState, type StateDiff, stateDiffQuery } from "@/lib/query/transaction";
import type { WireReceipt } from "@/lib/query/wire";
import { formatBytes, formatInteger } from "@/lib/units";

const zero = `0x${"0".repeat(64)}`;

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
  const addresses = [...new Set([...Object.keys(diff.pre), ...Object.keys(diff.post)])];
  const keys = useMemo(
    () => listKeys([...Object.keys(diff.pre), ...Object.keys(diff.post)], receipt, transaction?.input ?? "0x"),
    [diff, receipt, transaction],
  );
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Sheet id="state" title={`${addresses.length} ${plural(addresses.length, "account")} changed`}>
        {isFailed(receipt) && <p className="border-line border-b px-4 py-3 text-ink-2">{toRevertText(receipt.type)}</p>}
        {addresses.length === 0 && <Empty title="No state changes" />}
        {addresses.map((address) => (
          <Account
            key={address}
            address={address}
            pre={diff.pre[address]}
            post={diff.post[address]}
            keys={keys}
            receipt={receipt}
          />
        ))}
      </Sheet>
    </div>
  );
}

/** Possible mapping keys: touched accounts, indexed topics, and words of the calldata. */
function listKeys(addresses: string[], receipt: WireReceipt, input: string): string[] {
  const topics = receipt.logs.flatMap((log) => log.topics.slice(1));
  const moved = listMovements(receipt.logs).flatMap(({ from, to }) => [from, to]);
  const words = input.slice(10, 10 + 64 * 40).match(/.{64}/g) ?? [];
  return [...new Set([...addresses, receipt.from, ...moved, ...topics, ...words.map((word) => `0x${word}`)])];
}

function Account({
  address,
  pre,
  post,
  keys,
  receipt,
}: {
  address: string;
  pre: AccountState | undefined;
  post: AccountState | undefined;
  keys: string[];
  receipt: WireReceipt;
}) {
  const slots = useMemo(
    () => [...new Set([...Object.keys(pre?.storage ?? {}), ...Object.keys(post?.storage ?? {})])].toSorted(),
    [pre, post],
  );
  const names = useMemo(() => nameSlots(slots, keys), [slots, keys]);
  // The diff omits unchanged fields from `post`; a deleted account is only in `pre`.
  const gone = pre !== undefined && post === undefined;
  const balance = toPair(pre?.balance, gone ? "0x0" : post?.balance);
  const nonce = toPair(pre?.nonce, post?.nonce);
  const code = gone ? undefined : post?.code;
  return (
    <section className="flex flex-col gap-1.5 border-line border-b px-4 py-3 leading-6 last:border-b-0">
      <h3 className="flex min-w-0 flex-wrap items-center gap-x-3">
        <AddressLink full contract={Boolean(pre?.code ?? post?.code)} address={address} />
        {pre === undefined && <span className="method">created</span>}
        {gone && <span className="method">destroyed</span>}
      </h3>
      <dl>
        {balance && (
          <Change label="Balance">
            <NativeAmount wei={BigInt(balance.before ?? "0x0")} digits={24} />
            <Icon name="arrow" className="text-ink-3" />
            <NativeAmount wei={BigInt(balance.after)} digits={24} copy />
            <Delta amount={BigInt(balance.after) - BigInt(balance.before ?? "0x0")} />
          </Change>
        )}
        {nonce && (
          <Change label="Nonce">
            {formatInteger(nonce.before ?? 0)}
            <Icon name="arrow" className="text-ink-3" />
            {formatInteger(nonce.after)}
          </Change>
        )}
        {code !== undefined && (
          <Change label="Code">
            {formatBytes(((pre?.code?.length ?? 2) - 2) / 2)}
            <Icon name="arrow" className="text-ink-3" />
            {formatBytes((code.length - 2) / 2)}
            <Copy value={code} what="Code" />
          </Change>
        )}
      </dl>
      {slots.length > 0 && (
        <>
          <h4 className="label">
            {slots.length} storage {plural(slots.length, "slot")}
          </h4>
          <ul>
            {slots.map((slot) => (
              <Slot
                key={slot}
                token={address}
                slot={slot}
                name={names.get(slot)}
                before={pre?.storage?.[slot] ?? zero}
                after={post?.storage?.[slot] ?? zero}
                receipt={receipt}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The values before and after; undefined if nothing changed. The tracer omits unchanged values from `post`. */
function toPair<T>(before: T | undefined, after: T | undefined): { before: T | undefined; after: T } | undefined {
  return after === undefined || before === after ? undefined : { before, after };
}

function Change({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 sm:grid-cols-[5rem_minmax(0,1fr)]">
      <dt className="label leading-6">{label}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">{children}</dd>
    </div>
  );
}

function Delta({ amount }: { amount: bigint }) {
  if (amount === 0n) return null;
  return (
    <span className={amount > 0n ? "text-pos" : "text-neg"}>
      {amount > 0n && "+"}
      <NativeAmount wei={amount} digits={24} />
    </span>
  );
}

type SlotProps = {
  token: string;
  slot: string;
  name: SlotName | undefined;
  before: string;
  after: string;
  receipt: WireReceipt;
};

function Slot({ token, slot, name, before, after, receipt }: SlotProps) {
  const known = findToken(useNetwork(), token) !== undefined;
  const role = known ? findRole(name, receipt, token, BigInt(after) - BigInt(before)) : undefined;
  return (
    <li className="reveals flex flex-col border-line border-l py-1 pl-3 not-first:mt-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        {role && <span className="font-medium">{role === "balance" ? "balance of" : "allowance"}</span>}
        <Name name={name} hideBase={role !== undefined} />
        <span className="identifier text-ink-3" data-lit={slot}>
          <Hash value={slot} characters={20} />
          <Copy value={slot} what="storage slot" />
        </span>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        <Word word={before} token={role && token} />
        <Icon name="arrow" className="text-ink-3" />
        <Word word={after} token={role && token} />
        <Copy value={after} what="new value" />
      </div>
    </li>
  );
}

/**
 * A known token's slot is a balance if it changed by exactly the sum of the account's transfers, and an allowance if
 * its two keys are an owner and a spender.
 */
function findRole(
  name: SlotName | undefined,
  receipt: WireReceipt,
  token: string,
  change: bigint,
): "balance" | "allowance" | undefined {
  if (name?.kind !== "entry") return undefined;
  const [first, second] = name.keys.map(findWordAddress);
  if (name.keys.length === 2) return first && second ? "allowance" : undefined;
  if (first === undefined) return undefined;
  const moved = listMovements(receipt.logs)
    .filter((movement) => movement.token === token)
    .reduce((sum, { from, to, amount }) => sum + (to === first ? amount : 0n) - (from === first ? amount : 0n), 0n);
  return moved === change ? "balance" : undefined;
}

function Name({ name, hideBase }: { name: SlotName | undefined; hideBase: boolean }) {
  if (name === undefined) return null;
  if (name.kind === "known") return <span className="font-medium">{name.name}</span>;
  if (name.kind === "variable") return <span className="font-medium">slot {name.slot}</span>;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1">
      {!hideBase && <span className="font-medium">mapping {name.base}</span>}
      {name.keys.map((key) => {
        const address = findWordAddress(key);
        return (
          <span key={key} className="inline-flex min-w-0 items-center gap-x-1">
            <span className="text-ink-3">[</span>
            {address ? <AddressLink address={address} /> : <Hash value={key} characters={14} />}
            <span className="text-ink-3">]</span>
          </span>
        );
      })}
    </span>
  );
}

/** Shows a word as an amount if `token` is given, as a decimal number if it is below 2^64, and otherwise as hex. */
function Word({ word, token }: { word: string; token: string | undefined }) {
  const value = BigInt(word);
  if (token !== undefined) return <TokenAmount units={value} token={token} />;
  if (value === 0n) return <span className="text-ink-3">0</span>;
  if (value < 1n << 64n) return <span title={word}>{formatInteger(value)}</span>;
  return <span className="mono min-w-0 break-all">{word}</span>;
}
