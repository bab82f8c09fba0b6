/** The fields of encoded data, one in each row: its name, its value and, on wide screens, what it means. */
import type { ReactNode } from "react";
import { Copy } from "@/components/atoms/Copy";
import { Hinted } from "@/components/atoms/Hinted";

/** Longer bytes, counted in hex digits, have a copy button. */
export const mostShortDigits = 16;

/**
 * The columns are a name, its value and its meaning. On phones, the value is below its name. The values of an inner list,
 * which is indented by 17 pixels, are below those of the outer one. A nested list has no names, only numbers.
 */
const columns = {
  single:
    "max-sm:gap-y-3 grid-cols-[minmax(0,1fr)] sm:grid-cols-[9.5rem_minmax(0,1fr)] lg:grid-cols-[9.5rem_32rem_minmax(0,1fr)]",
  outer:
    "max-sm:gap-y-3 grid-cols-[minmax(0,1fr)] sm:grid-cols-[calc(9.5rem+17px)_minmax(0,1fr)] lg:grid-cols-[calc(9.5rem+17px)_32rem_minmax(0,1fr)]",
  inner:
    "max-sm:gap-y-3 grid-cols-[minmax(0,1fr)] sm:grid-cols-[9.5rem_minmax(0,1fr)] lg:grid-cols-[9.5rem_32rem_minmax(0,1fr)]",
  // On tablets, a word has room beside its number if the hidden button reaches into the padding.
  nested: "gap-x-2! grid-cols-[auto_minmax(0,1fr)] sm:max-lg:[&_.icon-button]:-mr-4 sm:max-lg:[&_.icon-button]:-ml-2",
};
export type FieldsLook = keyof typeof columns;

export function FieldList({
  look = "single",
  className = "",
  onPointerLeave,
  children,
}: {
  look?: FieldsLook;
  className?: string;
  onPointerLeave?: () => void;
  children: ReactNode;
}) {
  return (
    <ul
      className={`mono grid min-w-0 gap-x-2 gap-y-1 sm:gap-x-4 ${columns[look]} ${className}`}
      onPointerLeave={onPointerLeave}
    >
      {children}
    </ul>
  );
}

/** Narrow screens have no room for the meaning, only for a hint. */
export function FieldRow({
  name,
  meaning,
  className = "",
  onPointerEnter,
  children,
}: {
  name: string;
  meaning?: string | undefined;
  className?: string;
  onPointerEnter?: () => void;
  children: ReactNode;
}) {
  return (
    <li className={`reveals col-span-full grid grid-cols-subgrid ${className}`} onPointerEnter={onPointerEnter}>
      <FieldName name={name} meaning={meaning} /> <div className="min-w-0">{children}</div>
      {meaning && <span className="font-sans text-ink-2 max-lg:hidden">{meaning}</span>}
    </li>
  );
}

/** The byte before the RLP of a typed transaction or receipt. */
export function TypeRow({ type }: { type: number }) {
  return (
    <FieldRow name="type" meaning="Type of the transaction (EIP-2718)">
      <ReadHex digits={type.toString(16).padStart(2, "0")} reading={String(type)} />
    </FieldRow>
  );
}

export function FieldName({ name, meaning }: { name: string; meaning: string | undefined }) {
  return (
    <span className="wrap-anywhere text-ink-3 lg:*:cursor-auto lg:*:no-underline">
      <Hinted hint={meaning}>{name}</Hinted>
    </span>
  );
}

/** Bytes, and what a reader sees in them. */
export function ReadHex({ digits, reading }: { digits: string; reading: string | undefined }) {
  return (
    <span className="wrap-anywhere flex flex-wrap gap-x-3">
      <span className="min-w-0">{`0x${digits}`}</span>
      {reading !== undefined && <span className="min-w-0 text-ink-3">{reading}</span>}
    </span>
  );
}

/** Bytes with a button that copies them. On phones, the buttons of all rows are at the same edge. */
export function CopiedHex({ digits, what, children }: { digits: string; what: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-start">
      <span className="wrap-anywhere min-w-0 max-sm:flex-1">{children}</span>
      <Copy value={`0x${digits}`} what={what} />
    </span>
  );
}
