/** Parity's replay of a transaction: its output and, if requested, its calls, state changes and opcodes. */
import { toHex } from "@/server/ethereum/codec/bytes";
import type { Hash, Hex } from "@/server/ethereum/types";
import { createMuxTracer } from "@/server/evm/tracers/muxTracer";
import type { StateChange, WireAccount } from "@/server/evm/tracers/prestateTracer";
import type { ReplayKind, Trace, Tracer } from "@/server/evm/tracers/tracer";

/**
 * Combines one tracer for each kind of trace. The tracer for `stateDiff` must return changes in prestateTracer's form.
 */
export function createReplayTracer(tracers: ReadonlyMap<ReplayKind, Tracer>): Tracer {
  const kinds = [...tracers.keys()];
  const all = createMuxTracer(
    [...tracers.values()],
    (results) => new Map(kinds.map((kind, at) => [kind, results[at]])),
  );
  return {
    listener: all.listener,
    async finish(run) {
      const results = (await all.finish(run)) as ReadonlyMap<ReplayKind, Trace>;
      const change = results.get("stateDiff") as StateChange | undefined;
      return {
        output: toHex(run.output),
        stateDiff: change ? toStateDiff(change) : null,
        trace: results.get("trace") ?? [],
        vmTrace: results.get("vmTrace") ?? null,
      };
    },
  };
}

type Delta = "=" | { "+": Hex } | { "-": Hex } | { "*": { from: Hex; to: Hex } };

const fields = ["balance", "code", "nonce"] as const;
const nothing: Readonly<Record<(typeof fields)[number], Hex>> = { balance: "0x0", code: "0x", nonce: "0x0" };
const zeroWord: Hash = `0x${"00".repeat(32)}`;

function toStateDiff({ pre, post }: StateChange): Record<string, Record<string, unknown>> {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])].sort();
  return Object.fromEntries(addresses.map((address) => [address, toAccountDiff(pre[address], post[address])]));
}

function toAccountDiff(before: WireAccount | undefined, after: WireAccount | undefined): Record<string, unknown> {
  const diff: Record<string, unknown> = {};
  for (const field of fields) {
    const to = after?.[field] === undefined ? undefined : toHexValue(after[field]);
    const from = toHexValue(before?.[field] ?? nothing[field]);
    diff[field] = toDelta(before && from, after && (to ?? (before ? from : nothing[field])));
  }
  const slots = [...new Set([...Object.keys(before?.storage ?? {}), ...Object.keys(after?.storage ?? {})])].sort();
  diff.storage = Object.fromEntries(
    slots.map((slot) => {
      const [from, to] = [before, after].map((account) => account && (account.storage?.[slot as Hash] ?? zeroWord));
      return [slot, toDelta(from, to)];
    }),
  );
  return diff;
}

const toHexValue = (value: Hex | number): Hex => (typeof value === "number" ? `0x${value.toString(16)}` : value);

/** `from` or `to` is undefined if the account doesn't exist at that time. */
function toDelta(from: Hex | undefined, to: Hex | undefined): Delta {
  if (from === undefined) return { "+": to ?? "0x" };
  if (to === undefined) return { "-": from };
  return from === to ? "=" : { "*": { from, to } };
}
