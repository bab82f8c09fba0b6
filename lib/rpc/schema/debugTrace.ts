/**
 * debug_ methods that trace execution. Unlike lookups with eth_ methods, they return an error if the item isn't found,
 * because null could be mistaken for an empty trace.
 */
import { z } from "zod";
import { blockOrLatest, blockRef, hash32 } from "@/lib/rpc/codec";
import { callObject } from "@/lib/rpc/inputs";
import { defineMethods } from "@/lib/rpc/schema/define";
import { halted, unknownBlock, unknownTransaction } from "@/lib/rpc/schema/errors";
import { unknownHash } from "@/lib/rpc/schema/exampleValues";
import { runLimits } from "@/lib/rpc/schema/limits";
import { newestBlock, ofRunBlock } from "@/lib/rpc/schema/live";
import { callTracerOptions, tracer } from "@/lib/rpc/tracerInputs";
import { blockTraceShape, traceShape } from "@/lib/rpc/traceShapes";

const callTracer = { tracer: "callTracer" };
const callTracerWithLogs = { ...callTracer, tracerConfig: { withLog: true } };

export const debugTraceMethods = defineMethods("runs", {
  debug_traceTransaction: {
    summary: "Re-executes a mined transaction and returns its trace.",
    paramNames: ["tx_hash", "tracer"],
    params: z.tuple([hash32, tracer]),
    result: traceShape,
    errors: [unknownTransaction],
    limits: runLimits,
    isForwarded: true,
    finalBy: "transactionTrace",
    examples: [{ summary: "An unknown transaction", params: [unknownHash, callTracer], refused: true }],
    toLiveExamples: async ({ transaction }) => {
      const found = await transaction();
      return (
        found && [
          { summary: "Calls and logs of the latest transaction", params: [found.hash, callTracerWithLogs] },
          {
            summary: "State changes",
            params: [found.hash, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }],
          },
          { summary: "First 100 steps", params: [found.hash, { tracer: "structLog", limit: 100 }] },
        ]
      );
    },
  },

  debug_traceBlockByNumber: {
    summary: "Re-executes a block by number or tag and returns a trace of each transaction.",
    paramNames: ["block_number", "tracer"],
    params: z.tuple([blockOrLatest, tracer]),
    result: blockTraceShape,
    errors: [unknownBlock],
    limits: runLimits,
    isForwarded: true,
    finalBy: "blockTrace",
    examples: [{ summary: "Genesis, which has no transactions", params: ["earliest", callTracer] }],
    toLiveExamples: ofRunBlock(newestBlock, ({ number }) => [number, callTracerWithLogs]),
  },

  debug_traceBlockByHash: {
    summary: "Re-executes a block by hash and returns a trace of each transaction.",
    paramNames: ["block_hash", "tracer"],
    params: z.tuple([blockRef, tracer]),
    result: blockTraceShape,
    errors: [unknownBlock],
    limits: runLimits,
    isForwarded: true,
    finalBy: "blockTrace",
    examples: [{ summary: "An unknown block", params: [unknownHash, callTracer], refused: true }],
    toLiveExamples: ofRunBlock(newestBlock, ({ hash }) => [hash, callTracerWithLogs]),
  },

  debug_traceCall: {
    summary:
      "Executes a call against the state at a block and returns its trace; a revert is part of the trace, not an error.",
    paramNames: ["call", "block", "tracer"],
    params: z.tuple([callObject, blockOrLatest, callTracerOptions]),
    result: traceShape,
    errors: [unknownBlock, halted],
    limits: runLimits,
    isForwarded: true,
    examples: [
      {
        summary: "Token balance of a developer account",
        params: [
          {
            to: "0x534b2f3a21130d7a60830c2df862319e593943a3",
            input: "0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          },
          "latest",
          callTracer,
        ],
      },
    ],
  },
});
