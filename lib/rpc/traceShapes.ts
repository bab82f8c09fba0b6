/**
 * Shapes of the three tracers' results, as geth returns them. The result depends on the requested tracer, so it is a
 * union of all three.
 */
import { z } from "zod";
import { hexAddress, hexData, hexHash, hexQuantity } from "@/lib/rpc/codec";

const frameLog = z.strictObject({
  address: hexAddress,
  topics: z.array(hexHash),
  data: hexData,
  /** The number of subcalls made before the log, within its frame. */
  position: hexQuantity,
  index: hexQuantity.optional(),
});

const callFrameShape = z.strictObject({
  type: z.enum(["CALL", "STATICCALL", "DELEGATECALL", "CALLCODE", "CREATE", "CREATE2", "SELFDESTRUCT"]),
  from: hexAddress,
  to: hexAddress.optional(),
  value: hexQuantity.optional(),
  gas: hexQuantity,
  gasUsed: hexQuantity,
  input: hexData,
  output: hexData.optional(),
  error: z.string().optional(),
  revertReason: z.string().optional(),
  logs: z.array(frameLog).optional(),
  get calls() {
    return z.array(callFrameShape).optional();
  },
});
export type WireCallFrame = z.infer<typeof callFrameShape>;

const prestateAccount = z.strictObject({
  balance: hexQuantity.optional(),
  nonce: z.number().optional(),
  code: hexData.optional(),
  codeHash: hexHash.optional(),
  storage: z.record(hexHash, hexHash).optional(),
});
const prestate = z.record(hexAddress, prestateAccount);
const prestateShape = z.union([z.strictObject({ pre: prestate, post: prestate }), prestate]);

const structLogShape = z.strictObject({
  gas: z.number(),
  failed: z.boolean(),
  returnValue: hexData,
  structLogs: z.array(
    z.strictObject({
      pc: z.number(),
      op: z.string(),
      gas: z.number(),
      gasCost: z.number(),
      depth: z.number(),
      error: z.string().optional(),
      stack: z.array(hexQuantity).optional(),
      memory: z.array(hexHash).optional(),
      storage: z.record(hexHash, hexHash).optional(),
      returnData: hexData.optional(),
      refund: z.number().optional(),
    }),
  ),
});

export const traceShape = z.union([callFrameShape, structLogShape, prestateShape]);
export const blockTraceShape = z.array(z.strictObject({ txHash: hexHash, result: traceShape }));
