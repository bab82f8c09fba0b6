/**
 * Lists the parts of a transaction that are decoded with an ABI. The server and the browser must build the same items,
 * so that the browser finds the prefetched results. Don't make this client code.
 */
import type { DecodeItem } from "@/lib/decode/decoded";
import type { WireLog } from "@/lib/query/wire";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

/** A receipt from before Byzantium has no status, so its transaction doesn't count as failed. */
export function isFailed(receipt: { status?: string | undefined } | null | undefined): boolean {
  return receipt?.status !== undefined && Number(receipt.status) === 0;
}

/** The input of the transaction's call. Undefined if the transaction creates a contract. */
export function toInputItem({ to, input }: { to: string | null; input: string }): DecodeItem | undefined {
  return to !== null && input.length >= 10 ? { kind: "call", data: input } : undefined;
}

/** The maximum number of logs that one request can decode. Logs beyond it are shown undecoded. */
const mostLogs = 200;

export function toLogItems(logs: readonly WireLog[]): DecodeItem[] {
  return logs.slice(0, mostLogs).map(({ topics, data }) => ({ kind: "event", topics, data }));
}

/** The failing call's data, for the failure notice to decode. */
export function toFailureItems(frame: WireCallFrame): { call: DecodeItem | undefined; error: DecodeItem | undefined } {
  const { input, output = "0x", type } = frame;
  return {
    call: !type.startsWith("CREATE") && input.length >= 10 ? { kind: "call", data: input } : undefined,
    error: output.length >= 10 ? { kind: "error", data: output } : undefined,
  };
}

/**
 * Describes what a failed transaction changed even though it reverted. EIP-7702 applies authorizations before the call,
 * so a revert doesn't undo them.
 */
export function toRevertText(type: string): string {
  return Number(type) === 4
    ? "Reverted: only the fee, nonces and EIP-7702 delegations changed."
    : "Reverted: only the fee and the nonce changed.";
}
