/** A step's title. Accounts, transactions and blocks in it are links. */

import { AddressLink } from "@/components/atoms/AddressLink";
import { BlockLink } from "@/components/atoms/BlockLink";
import { TxLink } from "@/components/atoms/TxLink";
import { WrapText } from "@/components/atoms/WrapText";
import type { FlowTitle } from "./flowEntries";
import type { FlowValue } from "./flowValue";

/** Long hex, and reason codes, such as insufficient_funds. */
const codePattern = /^(0x[0-9a-f]{16,}|[a-z0-9]+(_[a-z0-9]+)+)$/i;

export function FlowValueText({ value }: { value: FlowValue }) {
  if (typeof value === "string") {
    const text = <WrapText text={value} />;
    return codePattern.test(value) ? <code className="mono">{text}</code> : text;
  }
  if ("address" in value) return <AddressLink address={value.address} />;
  if ("transaction" in value) return <TxLink hash={value.transaction} />;
  return <BlockLink number={value.block} />;
}

export function FlowText({ title }: { title: FlowTitle }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line never change places
  return title.map((piece, index) => <FlowValueText key={index} value={piece} />);
}
