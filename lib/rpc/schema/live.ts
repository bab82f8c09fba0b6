/**
 * Builds a method's examples from data on the current chain. Each value is requested only when an example needs it. If
 * a value is undefined, the declared examples are used.
 */
import type { Network } from "@/lib/networks";

export type MethodExample = {
  summary: string;
  params: unknown[];
  /** Set if the example is meant to fail with an error. */
  refused?: true;
};

export type LiveExample = MethodExample & {
  /** A request that is sent before the example. Its result becomes the first param. */
  prepare?: { method: string; params: unknown[] };
  /**
   * Set if the first param is a freshly signed transfer. A new transfer is signed each time the example is selected.
   */
  signed?: true;
};

/** Facts about the current chain. Hashes and numbers are in wire format. */
export type ChainFacts = {
  network: Network;
  /** The latest mined transaction. */
  transaction(): Promise<{ hash: string } | undefined>;
  /** The block of the latest mined transaction, or the latest block if there is no transaction. */
  block(): Promise<{ hash: string; number: string } | undefined>;
  account(): Promise<string>;
  /** The transaction that made the latest settlement. */
  settlement(): Promise<string | undefined>;
  /** A transfer that can be sent right away. Undefined on a remote network. */
  signTransfer(): Promise<string | undefined>;
};

export type ToLiveExamples = (facts: ChainFacts) => Promise<LiveExample[] | undefined>;

type ToParams<Fact> = (fact: Fact) => unknown[];
type Block = { hash: string; number: string };

export const newestBlock = "Block of the latest transaction";

export function ofTransaction(): ToLiveExamples {
  return async ({ transaction }) => {
    const found = await transaction();
    return found && [{ summary: "Latest transaction", params: [found.hash] }];
  };
}

export function ofBlock(summary: string, toParams: ToParams<Block>): ToLiveExamples {
  return async ({ block }) => {
    const found = await block();
    return found && [{ summary, params: toParams(found) }];
  };
}

/** Like `ofBlock`, but excludes genesis, because it can't be re-executed. */
export function ofRunBlock(summary: string, toParams: ToParams<Block>): ToLiveExamples {
  return async ({ block }) => {
    const found = await block();
    return found && found.number !== "0x0" ? [{ summary, params: toParams(found) }] : undefined;
  };
}

export function ofPrepared(summary: string, prepare: NonNullable<LiveExample["prepare"]>): ToLiveExamples {
  return async () => [{ summary, params: ["0x1"], prepare }];
}

/** `rest` has the params that follow the signed transfer. */
export function ofTransfer(...rest: unknown[]): ToLiveExamples {
  return async ({ signTransfer }) => {
    const raw = await signTransfer();
    return raw === undefined
      ? undefined
      : [{ summary: "A fresh transfer of 1 wei, signed by a funded account", params: [raw, ...rest], signed: true }];
  };
}
