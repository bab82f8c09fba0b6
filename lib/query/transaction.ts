/**
 * Query options for a transaction's tabs. A mined transaction's data never changes. A pending transaction's data
 * follows the pool and the head.
 */
import type { Decoded, DecodeItem } from "@/lib/decode/decoded";
import { toOptions } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { toQuantity } from "@/lib/units";

/** Every call in a mined transaction, with the logs that the call emitted. */
export function traceQuery(source: Source, hash: string) {
  const config = { tracer: "callTracer", tracerConfig: { withLog: true } };
  return toOptions<"debug_traceTransaction", WireCallFrame>(source, "debug_traceTransaction", [hash, config], []);
}

/** The top-level call of a mined transaction, with its error and output. */
export function failureQuery(source: Source, hash: string) {
  const config = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
  return toOptions<"debug_traceTransaction", WireCallFrame>(source, "debug_traceTransaction", [hash, config], []);
}

/**
 * The transaction's top-level call in Parity's format. Its gas doesn't include intrinsic gas, and refunds aren't
 * subtracted. Rejects on nodes without trace_ methods.
 */
export function ownCallQuery(source: Source, hash: string) {
  return toOptions(source, "trace_get", [hash, []], []);
}

export type AccountState = {
  balance?: `0x${string}`;
  nonce?: number;
  code?: `0x${string}`;
  codeHash?: `0x${string}`;
  storage?: Record<string, string>;
};
/**
 * `pre` has the old values of everything that changed, and `post` has the new ones. An account that is in only one of
 * them was created or deleted.
 */
export type StateDiff = { pre: Record<string, AccountState>; post: Record<string, AccountState> };

export function stateDiffQuery(source: Source, hash: string) {
  const config = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
  return toOptions<"debug_traceTransaction", StateDiff>(source, "debug_traceTransaction", [hash, config], []);
}

/** The signed bytes of a mined or pending transaction. */
export function rawTransactionQuery(source: Source, hash: string) {
  return toOptions(source, "debug_getRawTransaction", [hash], ["pool", "head"], (data) => data !== null);
}

/** The possible interpretations of each item, based on the interfaces that the node knows. */
export function decodeQuery(source: Source, items: readonly DecodeItem[]) {
  return toOptions<"explorer_decode", Decoded[][]>(source, "explorer_decode", [items], []);
}

/** The counts that the tabs show, and the signers of the transaction's EIP-7702 authorizations. */
export function transactionEffectsQuery(source: Source, hash: string) {
  return toOptions(
    source,
    "explorer_getTransactionEffects",
    [hash],
    ["pool", "head"],
    (data) => data !== null && data.blockNumber !== null,
  );
}

/** The transaction from a sender with the given nonce. */
export function transactionByNonceQuery(source: Source, sender: string, nonce: number) {
  return toOptions(
    source,
    "explorer_getTransactionByNonce",
    [sender, toQuantity(nonce)],
    ["pool", "head"],
    (data) => data !== null && data.blockNumber !== null,
  );
}

/** The sender's transactions in the pool, keyed by nonce in hex. */
export function senderPoolQuery(source: Source, address: string) {
  return toOptions(source, "txpool_statusByAddress", [address], ["pool", "head"]);
}

export function latestBlockQuery(source: Source) {
  return toOptions(source, "eth_getBlockByNumber", ["latest", false], ["head"]);
}
