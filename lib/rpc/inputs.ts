/**
 * Params that are objects: the call object, log filters and overrides. Wallets send unknown keys and null values.
 * Unknown keys are ignored, and null is treated as absent.
 */
import { z } from "zod";
import {
  address,
  type BlockRef,
  blockRef,
  data,
  type Hex,
  hash32,
  paddedQuantity,
  quantity,
  safeQuantity,
  storageSlot,
} from "@/lib/rpc/codec";

/**
 * Makes entries that may be undefined or null optional instead. With exactOptionalPropertyTypes, an optional entry can
 * be absent but not undefined.
 */
type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], null | undefined>;
};

function toGiven<T extends object>(value: T): Given<T> {
  const given: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== null && entry !== undefined) given[key] = entry;
  }
  return given as Given<T>;
}

const jsonText = z.codec(z.string(), z.unknown(), {
  decode: (text, payload) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      payload.issues.push({ code: "custom", message: "expected JSON, or a string that contains JSON", input: text });
      return z.NEVER;
    }
  },
  encode: (value) => JSON.stringify(value),
});

/** Some clients send lists as JSON strings. */
function listOrJson<Item extends z.ZodType>(item: Item) {
  const list = z.array(item).max(10_000);
  return z.union([list, jsonText.pipe(list)]);
}

/** An EIP-2930 access list. Its storage keys may be shorter than 32 bytes. */
const accessList = listOrJson(z.object({ address, storageKeys: z.array(storageSlot).max(10_000) }));

/** EIP-7702. */
const authorizationList = listOrJson(
  z
    .object({
      chainId: quantity,
      address,
      nonce: quantity,
      yParity: safeQuantity.optional(),
      v: safeQuantity.optional(),
      r: paddedQuantity,
      s: paddedQuantity,
    })
    .transform(({ v, yParity, ...rest }) => ({
      ...rest,
      yParity: yParity ?? (v === undefined ? 0 : v >= 27 ? v - 27 : v),
    })),
);

const callFields = z.object({
  from: address.nullish(),
  to: address.nullish(),
  gas: quantity.nullish(),
  gasPrice: quantity.nullish(),
  maxFeePerGas: quantity.nullish(),
  maxPriorityFeePerGas: quantity.nullish(),
  value: quantity.nullish(),
  input: data.nullish(),
  data: data.nullish(),
  nonce: quantity.nullish(),
  chainId: quantity.nullish(),
  type: safeQuantity.nullish(),
  accessList: accessList.nullish(),
  authorizationList: authorizationList.nullish(),
  maxFeePerBlobGas: quantity.nullish(),
  blobVersionedHashes: z.array(hash32).max(64).nullish(),
});

/**
 * Describes a transaction to call, estimate or fill. `data` is an alias for `input`: if only `data` is given, it is
 * copied to `input`.
 */
export const callObject = callFields
  .superRefine((call, context) => {
    if (call.input && call.data && call.input !== call.data) {
      context.addIssue({ code: "custom", path: ["data"], message: "differs from input: set only one of them" });
    }
    if (call.gasPrice != null && (call.maxFeePerGas != null || call.maxPriorityFeePerGas != null)) {
      context.addIssue({
        code: "custom",
        path: ["gasPrice"],
        message: "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified",
      });
    }
    if (call.authorizationList && !call.to) {
      context.addIssue({
        code: "custom",
        path: ["to"],
        message: "required if authorizationList is set",
      });
    }
  })
  .transform((call) => toGiven({ ...call, input: call.input ?? call.data }));
export type CallInput = z.output<typeof callObject>;

/** EIP-712 typed data. Wallets send it as JSON text. The signer checks the values against their types. */
const typedFields = z.looseObject({
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  domain: z.looseObject({}),
  message: z.looseObject({}),
});
export const typedData = z.union([typedFields, jsonText.pipe(typedFields)]);

const overrideFields = z.object({
  balance: quantity.nullish(),
  nonce: quantity.nullish(),
  code: data.nullish(),
  state: z.record(storageSlot, storageSlot).nullish(),
  stateDiff: z.record(storageSlot, storageSlot).nullish(),
  movePrecompileToAddress: address.nullish(),
});

const accountOverride = overrideFields
  .superRefine((account, context) => {
    if (account.state && account.stateDiff) {
      context.addIssue({
        code: "custom",
        path: ["stateDiff"],
        message: "can't be combined with state",
      });
    }
  })
  .transform(({ movePrecompileToAddress, ...account }) =>
    toGiven({ ...account, movePrecompileTo: movePrecompileToAddress }),
  );

const overridesByAddress = z.record(address, accountOverride);
/** The maximum number of overridden accounts and slots combined. Decoding more would delay other requests. */
const maxOverrides = 10_000;

const countKeys = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;

/** This runs before decoding, so `overrides` may be any JSON value. */
function assertFew(overrides: z.input<typeof overridesByAddress>, context: z.RefinementCtx) {
  let count = countKeys(overrides);
  if (count > 0 && count <= maxOverrides) {
    for (const account of Object.values(overrides)) count += countKeys(account?.state) + countKeys(account?.stateDiff);
  }
  if (count <= maxOverrides) return overrides;
  context.addIssue({ code: "custom", message: `expected at most ${maxOverrides} accounts and slots, got ${count}` });
  return z.NEVER;
}

export const stateOverrides = z.preprocess(assertFew, overridesByAddress);

const blockOverrideFields = z.object({
  number: safeQuantity.nullish(),
  time: safeQuantity.nullish(),
  gasLimit: quantity.nullish(),
  feeRecipient: address.nullish(),
  prevRandao: hash32.nullish(),
  baseFeePerGas: quantity.nullish(),
  blobBaseFee: quantity.nullish(),
  difficulty: quantity.nullish(),
});

export const blockOverrides = blockOverrideFields.transform(toGiven);

const withdrawal = z.object({ index: quantity, validatorIndex: quantity, address, amount: quantity });
const maxSimulatedCalls = 5_000;

/** The params for eth_simulateV1: blocks to simulate, each with its own overrides and calls. */
export const simulation = z.object({
  blockStateCalls: z
    .array(
      z
        .object({
          blockOverrides: blockOverrideFields
            .extend({ withdrawals: z.array(withdrawal).max(16).nullish() })
            .transform(toGiven)
            .nullish(),
          stateOverrides: stateOverrides.nullish(),
          calls: z.array(callObject).max(maxSimulatedCalls).nullish(),
        })
        .transform(toGiven),
    )
    .min(1, "expected at least one block"),
  validation: z.boolean().nullish(),
  traceTransfers: z.boolean().nullish(),
  returnFullTransactions: z.boolean().nullish(),
});

const topic = z.union([hash32, z.array(hash32).max(1000)]).nullish();

/** The filter for eth_getLogs and eth_newFilter. An empty topic list matches any topic, like null. */
export const logFilter = z
  .object({
    fromBlock: blockRef.nullish(),
    toBlock: blockRef.nullish(),
    blockHash: hash32.nullish(),
    address: z.union([address, z.array(address).max(1000)]).nullish(),
    topics: z.array(topic).max(4).nullish(),
  })
  .superRefine((filter, context) => {
    if (filter.blockHash && (filter.fromBlock || filter.toBlock)) {
      const message = "cannot specify both blockHash and fromBlock/toBlock, choose one or the other";
      context.addIssue({ code: "custom", path: ["blockHash"], message });
    }
  })
  .transform((filter) => {
    const addresses = typeof filter.address === "string" ? [filter.address] : filter.address;
    const topics = (filter.topics ?? []).map((entry): Hex[] | undefined => {
      const any = typeof entry === "string" ? [entry] : entry;
      return any && any.length > 0 ? any : undefined;
    });
    const range: { blockHash: Hex } | { from: BlockRef | undefined; to: BlockRef | undefined } = filter.blockHash
      ? { blockHash: filter.blockHash }
      : { from: filter.fromBlock ?? undefined, to: filter.toBlock ?? undefined };
    return { range, topics, addresses: addresses && addresses.length > 0 ? addresses : undefined };
  });
export type LogFilterInput = z.output<typeof logFilter>;
