/**
 * Caches results that no later block can change, as JSON text: blocks, transactions, receipts, logs, traces, fees and
 * state at a block. A rollback or state edit drops every entry, including results that are still being computed.
 */
import { createRecentMap } from "@/lib/createRecentMap";
import type { LogFilterInput } from "@/lib/rpc/inputs";
import type { FinalBy, MethodDefinition } from "@/lib/rpc/schema/define";
import type { Chain } from "@/server/chain/chain";
import type { BlockRef } from "@/server/ethereum/types";
import { findJsonText } from "@/server/rpc/jsonText";

export type FinalAnswers = {
  /** Returns the cached JSON. If there is none, calls `make` and returns its result as JSON. */
  answer(
    method: Pick<MethodDefinition, "name" | "finalBy">,
    params: readonly unknown[],
    make: () => unknown,
  ): string | Promise<string>;
  close(): void;
};

/** The maximum total length of cached results, in characters. They are ASCII, so this is also the size in bytes. */
const keptLength = 16 * 1024 * 1024;
/** The maximum length of one result. It keeps a single result from evicting many others. */
const longestAnswer = keptLength / 16;
/** Estimated overhead of a cache entry, in addition to its key and text. */
const entryLength = 150;

type View = Pick<Chain, "head" | "onAlter" | "spec">;
type Rule = {
  /** The cache key, with a tag resolved to its current block; undefined if the result may change. */
  toKey(chain: View, params: readonly unknown[]): string | undefined;
  isFinal(result: unknown): boolean;
};

const isThere = (result: unknown) => result !== null;
/** Whether the transaction is mined. A pending transaction has no block yet. */
const isMined = (result: unknown) => (result as { blockHash?: unknown } | null)?.blockHash != null;
const always = () => true;

/**
 * The cache key for a block; undefined for `safe` and `finalized`, which follow different rules, and for `pending`,
 * which depends on the pool. Results for these tags are not cached.
 */
function toBlockKey(chain: View, ref: BlockRef): string | undefined {
  if ("hash" in ref) return ref.hash;
  if ("number" in ref) return ref.number <= chain.head().number ? String(ref.number) : undefined;
  if (ref.tag === "earliest") return "0";
  return ref.tag === "latest" ? String(chain.head().number) : undefined;
}

const ofBlock: Rule = {
  toKey(chain, [ref, detail]) {
    const block = toBlockKey(chain, ref as BlockRef);
    return block === undefined ? undefined : `${block} ${detail}`;
  },
  isFinal: isThere,
};

const ofTransaction: Rule = { toKey: (_chain, [hash]) => hash as string, isFinal: isMined };

/** For state reads, the block is the last param. */
const ofState: Rule = {
  toKey(chain, params) {
    const block = toBlockKey(chain, params.at(-1) as BlockRef);
    return block === undefined ? undefined : `${block} ${params.slice(0, -1).join(" ")}`;
  },
  isFinal: always,
};

/** Logs that are already JSON come from recentBlocks.ts. Keeping them here would evict costlier results. */
const ofLogs: Rule = {
  toKey(chain, [filter]) {
    const { range, addresses, topics } = filter as LogFilterInput;
    const rest = JSON.stringify([addresses, topics]);
    if ("blockHash" in range) return `${range.blockHash} ${rest}`;
    const latest: BlockRef = { tag: "latest" };
    const from = toBlockKey(chain, range.from ?? latest);
    const to = toBlockKey(chain, range.to ?? latest);
    return from === undefined || to === undefined ? undefined : `${from} ${to} ${rest}`;
  },
  isFinal: (result) => findJsonText(result) === undefined,
};

/**
 * A fee history that ends at the head is not cached, because it also contains the next block's fees, which may still
 * change.
 */
const ofFees: Rule = {
  toKey(chain, [count, ref, percentiles]) {
    const newest = toBlockKey(chain, ref as BlockRef);
    const { number, timestamp } = chain.head();
    const end = newest === String(number) ? "head" : "";
    if (
      newest === undefined ||
      (end && chain.spec.forks.some((fork) => "timestamp" in fork && fork.timestamp > timestamp))
    ) {
      return undefined;
    }
    return `${count} ${newest} ${end} ${(percentiles as readonly number[] | undefined)?.join()}`;
  },
  isFinal: always,
};

const ofTransactionTrace: Rule = {
  toKey: (_chain, [hash, tracer]) => `${hash} ${JSON.stringify(tracer)}`,
  isFinal: always,
};

const ofBlockTrace: Rule = {
  toKey(chain, [ref, tracer]) {
    const block = toBlockKey(chain, ref as BlockRef);
    return block === undefined ? undefined : `${block} ${JSON.stringify(tracer)}`;
  },
  isFinal: isThere,
};

const rules: Readonly<Record<FinalBy, Rule>> = {
  block: ofBlock,
  transaction: ofTransaction,
  value: ofState,
  code: ofState,
  logs: ofLogs,
  fees: ofFees,
  transactionTrace: ofTransactionTrace,
  blockTrace: ofBlockTrace,
};

/** JSON-RPC requires a `result`, so a method without one returns null. */
const toResultText = (result: unknown): string => findJsonText(result) ?? JSON.stringify(result) ?? "null";

/** The JSON of a method's result. */
export function toText(result: unknown): string | Promise<string> {
  return result instanceof Promise ? result.then(toResultText) : toResultText(result);
}

/**
 * With `areValuesCached`, the store caches accounts and slots itself. Single-value results are then not kept, because
 * computing one is as fast as looking it up here.
 */
export function createFinalAnswers(
  chain: View,
  { limit = keptLength, areValuesCached = false }: { limit?: number; areValuesCached?: boolean } = {},
): FinalAnswers {
  const kept = createRecentMap<string, string>(limit, (key, text) => key.length + text.length + entryLength);
  let history = 0;
  const stop = chain.onAlter(() => {
    history++;
    kept.clear();
  });

  async function make(method: string, params: readonly unknown[], work: () => unknown, rule: Rule, key: string) {
    const began = history;
    const result = await work();
    const text = toResultText(result);
    // While the result was computed, the tag may have moved to a different block.
    const isStill = began === history && rule.toKey(chain, params) === key;
    const isShort = text.length <= Math.min(longestAnswer, limit / 4);
    if (isStill && isShort && rule.isFinal(result)) kept.set(`${method} ${key}`, text);
    return text;
  }

  return {
    answer({ name, finalBy }, params, work) {
      const rule = finalBy === undefined || (finalBy === "value" && areValuesCached) ? undefined : rules[finalBy];
      const key = rule?.toKey(chain, params);
      if (!rule || key === undefined) return toText(work());
      return kept.get(`${name} ${key}`) ?? make(name, params, work, rule, key);
    },
    close: stop,
  };
}
