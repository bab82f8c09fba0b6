/**
 * trace_ methods, which Parity (OpenEthereum) defined. They return calls as a flat list, state changes, and opcodes.
 */
import { z } from "zod";
import { address, blockOrLatest, blockRef, data, hash32, safeQuantity } from "@/lib/rpc/codec";
import { callObject } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { halted, unknownBlock, unknownTransaction } from "@/lib/rpc/schema/errors";
import { unknownHash } from "@/lib/rpc/schema/exampleValues";
import { runLimits } from "@/lib/rpc/schema/limits";
import { newestBlock, ofRunBlock, ofTransfer } from "@/lib/rpc/schema/live";
import { blockReplayShape, localizedCallShape, replayShape } from "@/lib/rpc/traceShapes";

const kinds = z.array(z.enum(["trace", "stateDiff", "vmTrace"])).max(3);
const localized = z.array(localizedCallShape);
const addresses = z.array(address).max(1_000).nullish();

const filter = z.object({
  fromBlock: blockRef.nullish(),
  toBlock: blockRef.nullish(),
  fromAddress: addresses,
  toAddress: addresses,
  /** If both fromAddress and toAddress are given, this says whether a call must match both or at least one of them. */
  mode: z.enum(["union", "intersection"]).nullish(),
  after: z.int().nonnegative().nullish(),
  count: z.int().nonnegative().nullish(),
});

const tokenBalance = {
  to: "0x534b2f3a21130d7a60830c2df862319e593943a3",
  input: "0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
};

/** Examples that use the latest transaction. `rest` has the params that follow its hash. */
const ofNewest =
  (summary: string, ...rest: unknown[]) =>
  async ({ transaction }: { transaction(): Promise<{ hash: string } | undefined> }) => {
    const found = await transaction();
    return found && [{ summary, params: [found.hash, ...rest] }];
  };

export const traceMethods = defineMethods("runs", {
  trace_block: {
    summary: "Returns every call of a block's transactions as a flat list, or null if the block is unknown.",
    paramNames: ["block"],
    params: z.tuple([blockOrLatest]),
    result: localized.nullable(),
    limits: runLimits,
    isForwarded: true,
    finalBy: "blockTrace",
    examples: [{ summary: "Genesis, which has no transactions", params: ["earliest"] }],
    toLiveExamples: ofRunBlock(newestBlock, ({ number }) => [number]),
  },

  trace_transaction: {
    summary: "Returns every call of a transaction as a flat list, or null if the transaction is unknown.",
    paramNames: ["tx_hash"],
    params: z.tuple([hash32]),
    result: localized.nullable(),
    limits: runLimits,
    isForwarded: true,
    examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
    toLiveExamples: ofNewest("Calls of the latest transaction"),
  },

  trace_get: {
    summary: "Returns one call of a transaction by its position in the call tree, or null if there is none.",
    paramNames: ["tx_hash", "trace_address"],
    params: z.tuple([hash32, z.array(z.union([safeQuantity, z.int().nonnegative()])).max(1_024)]),
    result: localizedCallShape.nullable(),
    limits: runLimits,
    isForwarded: true,
    examples: [{ summary: "An unknown transaction", params: [unknownHash, ["0x0"]] }],
    toLiveExamples: ofNewest("The latest transaction's top-level call", []),
  },

  trace_filter: {
    summary:
      "Returns the calls in a range of blocks that match the filter's addresses; skips the first 'after' of them and returns at most 'count'.",
    paramNames: ["filter"],
    params: z.tuple([filter]),
    result: localized,
    errors: [unknownBlock],
    limits: ["traceBlocks", ...runLimits],
    isForwarded: true,
    examples: [
      {
        summary: "First ten calls from a developer account in the latest block",
        params: [
          {
            fromBlock: "latest",
            toBlock: "latest",
            fromAddress: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"],
            count: 10,
          },
        ],
      },
    ],
  },

  trace_call: {
    summary:
      "Executes a call against the state at a block and returns its output with the requested traces; a revert is part of the trace, not an error.",
    paramNames: ["call", "kinds", "block"],
    params: z.tuple([callObject, kinds, blockOrLatest]),
    result: replayShape,
    errors: [unknownBlock, halted],
    limits: runLimits,
    isForwarded: true,
    examples: [
      {
        summary: "Token balance of a developer account, with calls and state changes",
        params: [tokenBalance, ["trace", "stateDiff"], "latest"],
      },
    ],
  },

  trace_callMany: {
    summary:
      "Executes calls in order, each on the state that the previous one left, and returns the output and traces of each.",
    paramNames: ["calls", "block"],
    params: z.tuple([z.array(z.tuple([callObject, kinds])).max(1_000), blockOrLatest]),
    result: z.array(replayShape),
    errors: [unknownBlock, halted],
    limits: runLimits,
    isForwarded: true,
    examples: [
      {
        summary: "The same balance twice",
        params: [
          [
            [tokenBalance, ["trace"]],
            [tokenBalance, ["stateDiff"]],
          ],
          "latest",
        ],
      },
    ],
  },

  trace_rawTransaction: {
    summary:
      "Executes a signed transaction as if it were the only one in the next block, and returns its traces. The transaction is not sent.",
    paramNames: ["raw_transaction", "kinds"],
    params: z.tuple([data, kinds]),
    result: replayShape,
    errors: [halted],
    limits: runLimits,
    isForwarded: true,
    examples: [{ summary: "Bytes that are not a transaction", params: ["0x00", ["trace"]], refused: true }],
    toLiveExamples: ofTransfer(["trace", "stateDiff"]),
  },

  trace_replayTransaction: {
    summary: "Re-executes a mined transaction and returns its output with the requested traces.",
    paramNames: ["tx_hash", "kinds"],
    params: z.tuple([hash32, kinds]),
    result: replayShape,
    errors: [unknownTransaction],
    limits: runLimits,
    isForwarded: true,
    finalBy: "transactionTrace",
    examples: [{ summary: "An unknown transaction", params: [unknownHash, ["trace"]], refused: true }],
    toLiveExamples: ofNewest("Calls, state changes and opcodes", ["trace", "stateDiff", "vmTrace"]),
  },

  trace_replayBlockTransactions: {
    summary: "Re-executes a block and returns each transaction's output with the requested traces.",
    paramNames: ["block", "kinds"],
    params: z.tuple([blockOrLatest, kinds]),
    result: z.array(blockReplayShape),
    errors: [unknownBlock],
    limits: runLimits,
    isForwarded: true,
    finalBy: "blockTrace",
    examples: [{ summary: "Genesis, which has no transactions", params: ["earliest", ["trace"]] }],
    toLiveExamples: ofRunBlock(newestBlock, ({ number }) => [number, ["trace", "stateDiff"]]),
  },
});
