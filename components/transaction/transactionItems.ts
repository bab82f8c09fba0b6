/**
 * What of a transaction is to be read by its ABI. Server and browser make the same items, so that what was prefetched
 * is found again; none of this may be client code.
 */
import type { DecodeItem } from "@/lib/decode/decoded";
import type { WireLog } from "@/lib/query/wire";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

/** A receipt from before Byzantium has no status, and so no failure. */
export function isFailed(receipt: { status?: string | undefined } | null | undefined): boolean {
  return receipt?.status !== undefined && Number(receipt.status) === 0;
}

/** Calldata; creations have none. */
export function toInputItem({ to, input }: { to: string | null; input: string }): DecodeItem | undefined {
  return to !== null && input.length >= 10 ? { kind: "call", data: input } : undefined;
}

/** As many as one request reads; the raw view of the rest needs none. */
const mostLogs = 200;

export function toLogItems(logs: readonly WireLog[]): DecodeItem[] {
  return logs.slice(0, mostLogs).map(({ topics, data }) => ({ kind: "event", topics, data }));
}

/** What the failure notice needs read of the failing frame. */
export function toFailureItems(frame: WireCallFrame): { call: DecodeItem | undefined; error: DecodeItem | undefined } {
  const { input, output = "0x", type } = frame;
  return {
    call: !type.startsWith("CREATE") && input.length >= 10 ? { kind: "call", data: input } : undefined,
    error: output.length >= 10 ? { kind: "error", data: output } : undefined,
  };
}
