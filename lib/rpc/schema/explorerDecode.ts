/**
 * explorer_decode decodes calldata, logs and revert data with the interfaces that this node knows. It works offline. A
 * result is marked as a guess if only the selector matches.
 */
import { z } from "zod";
import { data, hash32 } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";

/** Enough items for one page of a trace. */
const mostItems = 200;

const item = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("call"), data, result: data.optional() }),
  z.object({ kind: z.literal("event"), topics: z.array(hash32).max(4), data }),
  z.object({ kind: z.literal("error"), data }),
]);

const valueShape = z.strictObject({
  name: z.string(),
  type: z.string(),
  get value() {
    return z.union([z.string(), z.array(valueShape)]);
  },
  indexed: z.boolean().optional(),
  get call() {
    return decodedShape.optional();
  },
});

const decodedShape = z.strictObject({
  name: z.string(),
  signature: z.string(),
  interfaces: z.array(z.string()),
  values: z.array(valueShape),
  results: z.array(valueShape).optional(),
  guess: z.boolean(),
});

export const explorerDecodeMethods = defineMethods("reads", {
  explorer_decode: {
    summary:
      "Decodes calldata, logs and revert data with the interfaces this node knows; returns every possible decoding of each item.",
    paramNames: ["items"],
    params: z.tuple([z.array(item).max(mostItems, `at most ${mostItems} items`)]),
    result: z.array(z.array(decodedShape)),
    examples: [
      {
        summary: "A token transfer",
        params: [
          [
            {
              kind: "call",
              data: `0xa9059cbb${"f39fd6e51aad88f6f4ce6ab8827279cfffb92266".padStart(64, "0")}${"f4240".padStart(64, "0")}`,
            },
          ],
        ],
      },
      { summary: "Revert data", params: [[{ kind: "error", data: `0x4e487b71${"11".padStart(64, "0")}` }]] },
    ],
  },
});
