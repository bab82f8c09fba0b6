/** One transfer of a transaction: the whole addresses of its parties, what it moved, and tags that lead to its source. */
import type { ReactNode } from "react";

/** A list of transfers. On wide screens, its columns are as wide as the longest parties. */
export const transferListClass =
  "xl:grid xl:grid-cols-[fit-content(50%)_fit-content(50%)_minmax(max-content,1fr)_fit-content(15rem)]";

/** The titles of the columns on wide screens. Screen readers get the rows' own words. */
export function TransferHead({ source }: { source: string }) {
  return (
    <li
      aria-hidden="true"
      className="hidden gap-x-3 border-line border-b px-4 py-1.5 text-13 text-ink-2 xl:col-span-full xl:grid xl:grid-cols-subgrid"
    >
      <span>From</span>
      <span>To</span>
      <span className="pl-3">{source}</span>
      <span className="text-right">Amount</span>
    </li>
  );
}

export function TransferRow({
  from,
  to,
  amount,
  children,
}: {
  from: ReactNode;
  to: ReactNode;
  amount: ReactNode;
  /** The tags. */
  children: ReactNode;
}) {
  return (
    <li className="reveals grid gap-x-3 gap-y-1 border-line border-b px-4 py-2 leading-6 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_auto] xl:col-span-full xl:grid-cols-subgrid xl:items-start">
      {/* On one line only on wide screens. Below each other, both parties start at the same edge. */}
      <span className="flex min-w-0 flex-col max-sm:gap-y-2 xl:contents">
        <span className="flex min-w-0 items-start">
          <span className="w-11 flex-none text-13 leading-6 text-ink-2 xl:sr-only">From</span>
          <span className="min-w-0 flex-1">{from}</span>
        </span>
        <span className="flex min-w-0 items-start">
          <span className="w-11 flex-none text-13 leading-6 text-ink-2 xl:sr-only">To</span>
          <span className="min-w-0 flex-1">{to}</span>
        </span>
      </span>
      <span className="flex flex-wrap items-center justify-between gap-x-3 sm:max-xl:flex-col-reverse sm:max-xl:items-end xl:contents">
        <span className="flex min-h-6 items-center gap-x-3 xl:pl-3">{children}</span>
        <span className="font-medium xl:text-right">{amount}</span>
      </span>
    </li>
  );
}
