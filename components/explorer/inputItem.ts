/**
 * A transaction's calldata as something to be read; creations have none.
 */
import type { DecodeItem } from "@/lib/decode/decoded";

export function toInputItem({ to, input }: { to: string | null; input: string }): DecodeItem | undefined {
  return to !== null && input.length >= 10 ? { kind: "call", data: input } : undefined;
}
