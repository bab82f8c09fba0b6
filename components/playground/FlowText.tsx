/**
 * A step's line with its accounts, transactions and blocks as links to their pages.
 */
import { AddressLink } from "@/components/chain/AddressLink";
import { BlockLink } from "@/components/chain/BlockLink";
import { Text } from "@/components/chain/Text";
import { TxLink } from "@/components/chain/TxLink";
import type { FlowTitle } from "./flowEntries";
import type { FlowValue } from "./flowValue";

export function FlowValueText({ value }: { value: FlowValue }) {
  if (typeof value === "string") return value;
  if ("address" in value) return <AddressLink address={value.address} />;
  if ("transaction" in value) return <TxLink hash={value.transaction} />;
  return <BlockLink number={value.block} />;
}

export function FlowText({ title }: { title: FlowTitle }) {
  const values = Object.fromEntries(
    Object.entries(title.values).map(([name, value]) => [name, <FlowValueText key={name} value={value} />]),
  );
  // That the values fit the text was checked where the title was made.
  return <Text text={title.text} values={values as never} />;
}
