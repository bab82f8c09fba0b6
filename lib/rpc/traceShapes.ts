/**
 * Shapes for traces in the formats that geth and Parity return. A debug_ method's result depends on the tracer, so its
 * shape is a union.
 */
import { z } from "zod";
import { hexAddress, hexData, hexHash, hexQuantity } from "@/lib/rpc/codec";

const frameLog = z.strictObject({
  address: hexAddress,
  topics: z.array(hexHash),
  data: hexData,
  /** The number of subcalls that the log's call frame made before the log. */
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

/** A 32-byte word without the 0x prefix. */
const bareWord = z.string().regex(/^[0-9a-f]{64}$/);
/** The struct logs of Hardhat's node. An empty return value has no 0x prefix. */
const hardhatLogShape = z.strictObject({
  failed: z.boolean(),
  gas: z.number(),
  returnValue: z.union([hexData, z.literal("")]),
  structLogs: z.array(
    z.strictObject({
      depth: z.number(),
      gas: z.number(),
      gasCost: z.number(),
      op: z.string(),
      pc: z.number(),
      memory: z.array(bareWord).optional(),
      stack: z.array(bareWord).optional(),
      storage: z.record(bareWord, bareWord).optional(),
    }),
  ),
});

/** A call in a flat list. `place` has extra fields that locate the call in the chain. It may be empty. */
function toFlatCallShape<Place extends z.ZodRawShape>(place: Place) {
  return z.strictObject({
    action: z.strictObject({
      callType: z.enum(["call", "callcode", "delegatecall", "staticcall"]).optional(),
      creationMethod: z.enum(["create", "create2"]).optional(),
      from: hexAddress.optional(),
      to: hexAddress.optional(),
      gas: hexQuantity.optional(),
      input: hexData.optional(),
      init: hexData.optional(),
      value: hexQuantity.optional(),
      /** The fields of a self-destruct. */
      address: hexAddress.optional(),
      balance: hexQuantity.optional(),
      refundAddress: hexAddress.optional(),
    }),
    error: z.string().optional(),
    result: z
      .strictObject({
        gasUsed: hexQuantity,
        output: hexData.optional(),
        address: hexAddress.optional(),
        code: hexData.optional(),
      })
      .nullish(),
    subtraces: z.int(),
    traceAddress: z.array(z.int()),
    type: z.enum(["call", "create", "suicide"]),
    ...place,
  });
}

const flatCallShape = toFlatCallShape({});
export const localizedCallShape = toFlatCallShape({
  blockHash: hexHash.nullable(),
  blockNumber: z.int(),
  transactionHash: hexHash.nullable(),
  transactionPosition: z.int(),
});

/** A value that is unchanged, created, deleted, or changed to another value. */
function toDeltaShape<Value extends z.ZodType>(value: Value) {
  return z.union([
    z.literal("="),
    z.strictObject({ "+": value }),
    z.strictObject({ "-": value }),
    z.strictObject({ "*": z.strictObject({ from: value, to: value }) }),
  ]);
}

const stateDiffShape = z.record(
  hexAddress,
  z.strictObject({
    balance: toDeltaShape(hexQuantity),
    code: toDeltaShape(hexData),
    nonce: toDeltaShape(hexQuantity),
    storage: z.record(hexHash, toDeltaShape(hexHash)),
  }),
);

const vmTraceShape = z.strictObject({
  code: hexData,
  ops: z.array(
    z.strictObject({
      pc: z.int(),
      op: z.string(),
      cost: z.int(),
      /** The opcode's effects. Null if the opcode failed. Despite its name, `used` is the gas left after the opcode. */
      ex: z
        .strictObject({
          used: z.int(),
          push: z.array(hexQuantity),
          mem: z.strictObject({ off: z.int(), data: hexData }).nullable(),
          store: z.strictObject({ key: hexQuantity, val: hexQuantity }).nullable(),
        })
        .nullable(),
      /** The trace of the code that the opcode called. Null if the opcode called no code. */
      get sub() {
        return vmTraceShape.nullable();
      },
    }),
  ),
});

const replayFields = {
  output: hexData,
  stateDiff: stateDiffShape.nullable(),
  trace: z.array(flatCallShape),
  vmTrace: vmTraceShape.nullable(),
};
export const replayShape = z.strictObject(replayFields);
export const blockReplayShape = z.strictObject({ ...replayFields, transactionHash: hexHash });
/**
 * The number of calls for each key. A key is a selector and the size of the arguments in bytes, such as
 * "0x27dc297e-128".
 */
const fourByteShape = z.record(z.string(), z.int());

/**
 * muxTracer combines other tracers' results, erc7562Tracer adds fields to callTracer's frames, and a JavaScript tracer
 * can return any JSON.
 */
export const traceShape = z.union([
  callFrameShape,
  structLogShape,
  hardhatLogShape,
  prestateShape,
  z.array(localizedCallShape),
  fourByteShape,
  z.json(),
]);
export const blockTraceShape = z.array(z.strictObject({ txHash: hexHash, result: traceShape }));
