"use client";
/** The accounts that a transaction changed, as a table: their nonces and native balances, and their code. */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount, leastNativeWei, smallUnits } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { Icon } from "@/components/atoms/Icon";
import { useNetwork } from "@/components/layout/NetworkContext";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { ChangedUnits, Sign } from "@/components/transaction/SlotParts";
import type { AccountState } from "@/lib/query/transaction";
import { formatBytes, formatInteger, formatUnits } from "@/lib/units";

export type AccountRow = {
  address: string;
  pre: AccountState | undefined;
  post: AccountState | undefined;
  /** Whether the block's tips go to this account. */
  isFeeRecipient: boolean;
};

export function StateAccounts({ rows }: { rows: AccountRow[] }) {
  const isSmall = rows.every((row) => toSize(toDifference(row)) < leastNativeWei);
  return (
    <DataTable caption="Accounts" columns={toColumns(isSmall)} rows={rows} getKey={({ address }) => address} stacked />
  );
}

/** The values before and after; undefined if nothing changed. The tracer's `post` omits unchanged values. */
function toPair<T>(before: T | undefined, after: T | undefined): { before: T | undefined; after: T } | undefined {
  return after === undefined || before === after ? undefined : { before, after };
}

/** The tracer lists a deleted account only in `pre`. */
const isGone = ({ pre, post }: AccountRow) => pre !== undefined && post === undefined;
const toBalances = (row: AccountRow) => toPair(row.pre?.balance, isGone(row) ? ("0x0" as const) : row.post?.balance);

/** Whether more than an account's nonce or storage changed. */
export const hasChanged = (row: AccountRow) =>
  isGone(row) || toBalances(row) !== undefined || row.post?.code !== undefined;

/** Whether an account's nonce changed. */
export const hasNonce = (row: AccountRow) => toNonces(row) !== undefined;

const toNonces = ({ pre, post }: AccountRow) => toPair(pre?.nonce, post?.nonce);

/** The change of an account's balance, in wei. */
function toDifference(row: AccountRow): bigint {
  const balances = toBalances(row);
  return balances ? BigInt(balances.after) - BigInt(balances.before ?? 0) : 0n;
}

const toSize = (difference: bigint) => (difference < 0n ? -difference : difference);

const toColumns = (isSmall: boolean): Column<AccountRow>[] => [
  {
    id: "account",
    head: "Account",
    narrow: "lead",
    cell: (row) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
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
    width: "lg:w-62 max-lg:hidden",
    cell: (row) => <Balance at="before" row={row} />,
  },
  {
    id: "after",
    head: "Balance after",
    align: "right",
    width: "lg:w-62 xl:w-72 2xl:w-96 max-lg:hidden",
    cell: (row) => <Balance at="after" row={row} />,
  },
  {
    id: "balances",
    head: "Balance",
    width: "md:w-64 lg:hidden [&_.fill]:hidden",
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
    width: `xl:w-72 2xl:w-96 max-lg:[&_.fill]:hidden ${isSmall ? "md:w-40 lg:w-60" : "md:w-60"}`,
    narrow: "trail",
    cell: (row) => <Change row={row} />,
  },
];

function CodeChange({ row: { pre, post } }: { row: AccountRow }) {
  if (post?.code === undefined) return null;
  return (
    <span className="identifier text-ink-2">
      {pre?.code ? "code changed to" : "code,"} {formatBytes((post.code.length - 2) / 2)}
      <Copy value={post.code} what="code" />
    </span>
  );
}

function Nonces({ row }: { row: AccountRow }): ReactNode {
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
function Balance({ at, row }: { at: "before" | "after"; row: AccountRow }) {
  const { nativeCurrency } = useNetwork();
  const balances = toBalances(row);
  if (!balances) return null;
  const { before = 0, after } = balances;
  const [units, other] = at === "before" ? [before, after] : [after, before];
  return <ChangedUnits units={BigInt(units)} other={BigInt(other)} unit={nativeCurrency} />;
}

/** A small change, such as a fee, is in gwei. */
export function toCostUnit<Unit>(size: bigint, native: Unit) {
  return size < leastNativeWei ? smallUnits.gwei : native;
}

function Change({ row }: { row: AccountRow }) {
  const { nativeCurrency } = useNetwork();
  const difference = toDifference(row);
  if (difference === 0n) return null;
  const size = toSize(difference);
  const sign = difference > 0n ? "+" : "−";
  const unit = toCostUnit(size, nativeCurrency);
  return (
    <span
      className={`inline-flex ${difference > 0n ? "text-pos" : "text-neg"}`}
      title={`${sign}${formatUnits(size, nativeCurrency.decimals)} ${nativeCurrency.symbol}`}
    >
      <Sign>{sign}</Sign>
      <Amount units={size} unit={unit} fractionDigits={unit.decimals} />
    </span>
  );
}
