/**
 * The primitive values in JSON-RPC messages: hex quantities, byte strings, addresses, hashes and block references. For
 * each, there is a zod codec for params and a plain shape for results. Decoding accepts what execution-apis and
 * EIP-1474 allow, with geth's error messages.
 */

import { z } from "zod";
import { toQuantity } from "@/lib/units";

export type Hex = `0x${string}`;

/** A decoded block reference. Identical to the type that the chain uses. */
type BlockTag = "latest" | "safe" | "finalized" | "earliest" | "pending";
export type BlockRef = { tag: BlockTag } | { number: number } | { hash: Hex; requireCanonical?: boolean };

const blockTags: readonly string[] = ["latest", "safe", "finalized", "earliest", "pending"];

/** Thrown for an invalid wire value. Always caught within this module. */
class WireError extends Error {}

function assertHex(text: string): void {
  if (!text.startsWith("0x")) throw new WireError("hex string without 0x prefix");
  if (!/^0x[0-9a-fA-F]*$/.test(text)) throw new WireError("invalid hex string");
}

function decodeQuantity(text: string, bits: number): bigint {
  assertHex(text);
  if (text.length === 2) throw new WireError('hex string "0x" is not a number');
  if (text.length > 3 && text[2] === "0") throw new WireError("hex number with leading zero digits");
  if (text.length - 2 > bits / 4) throw new WireError(`hex number > ${bits} bits`);
  return BigInt(text);
}

/** Decodes a block number, an index or a count. JavaScript integers are exact only up to 2^53. */
function decodeSafe(text: string): number {
  const value = decodeQuantity(text, 64);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new WireError("hex number > 53 bits");
  return Number(value);
}

function decodeData(text: string): Hex {
  assertHex(text);
  if (text.length % 2 !== 0) throw new WireError("hex string of odd length");
  return text.toLowerCase() as Hex;
}

function decodeFixed(text: string, bytes: number, what: string): Hex {
  assertHex(text);
  if (text.length !== 2 + bytes * 2) {
    throw new WireError(`hex string has length ${text.length - 2}, want ${bytes * 2} for ${what}`);
  }
  return text.toLowerCase() as Hex;
}

/** Quotes the given text, shortened for the message. */
const quote = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** Storage keys are left-padded to 32 bytes, because clients send short or odd-length keys. */
function decodeSlot(text: string): Hex {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  if (!/^[0-9a-fA-F]*$/.test(digits)) throw new WireError(`invalid hex in storage key: ${quote(text)}`);
  if (digits.length > 64) {
    throw new WireError(`storage key too long (want at most 32 bytes): ${quote(text)}`);
  }
  return `0x${digits.toLowerCase().padStart(64, "0")}`;
}

function decodeBlockText(text: string): BlockRef {
  if (blockTags.includes(text)) return { tag: text as BlockTag };
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return { hash: text.toLowerCase() as Hex };
  return { number: decodeSafe(text) };
}

type WireMeta = { title: string; description: string; pattern?: string };

function wire<Out>(
  meta: WireMeta,
  out: z.ZodType<Out, Out>,
  decode: (text: string) => Out,
  encode: (value: Out) => string,
) {
  return z.codec(z.string().meta(meta), out, {
    decode: (text, payload) => {
      try {
        return decode(text);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        payload.issues.push({ code: "custom", message: error.message, input: text });
        return z.NEVER;
      }
    },
    encode,
  });
}

const hexDomain = z.custom<Hex>();
const pattern = {
  quantity: "^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$",
  data: "^0x([0-9a-fA-F]{2})*$",
  address: "^0x[0-9a-fA-F]{40}$",
  hash: "^0x[0-9a-fA-F]{64}$",
};

/** An unsigned integer of up to 256 bits. */
export const quantity = wire(
  { title: "quantity", description: "Hex number without leading zeros", pattern: pattern.quantity },
  z.bigint(),
  (text) => decodeQuantity(text, 256),
  toQuantity,
);

/** An unsigned integer that a JavaScript number can hold exactly, such as a block number, an index or a timestamp. */
export const safeQuantity = wire(
  { title: "quantity", description: "Hex number without leading zeros, up to 2^53", pattern: pattern.quantity },
  z.number(),
  decodeSafe,
  toQuantity,
);

/** Like `safeQuantity`, but also accepts a JSON integer, because many clients send one. */
export const safeInteger = z.union([safeQuantity, z.int().nonnegative()], {
  error: "expected a hex quantity or a non-negative integer",
});

/**
 * A number in any form that anvil accepts: hex, a decimal string or a JSON integer. Used by dev controls and state
 * dumps.
 */
export const anyQuantity = z.union(
  [
    quantity,
    z.codec(z.union([z.string().regex(/^\d{1,78}$/), z.int().nonnegative()]), z.bigint(), {
      decode: (given) => BigInt(given),
      encode: String,
    }),
  ],
  { error: "expected a hex quantity, a decimal string or a non-negative integer" },
);

/** Like `anyQuantity`, but only up to 2^53. */
export const anyInteger = z.union(
  [
    safeInteger,
    z.codec(z.string().regex(/^\d{1,15}$/), z.int(), {
      decode: Number,
      encode: String,
    }),
  ],
  { error: "expected a hex quantity, a decimal string or a non-negative integer" },
);

/** A number that clients may pad to 32 bytes, such as a signature's r and s. */
export const paddedQuantity = wire(
  { title: "number", description: "Hex number of up to 32 bytes, leading zeros allowed" },
  z.bigint(),
  (text) => BigInt(decodeSlot(text)),
  toQuantity,
);

export const data = wire(
  { title: "data", description: "Bytes in hex", pattern: pattern.data },
  hexDomain,
  decodeData,
  (value) => value,
);

export const address = wire(
  { title: "address", description: "20 bytes in hex, any case", pattern: pattern.address },
  hexDomain,
  (text) => decodeFixed(text, 20, "an address"),
  (value) => value,
);

export const hash32 = wire(
  { title: "hash", description: "32 bytes in hex", pattern: pattern.hash },
  hexDomain,
  (text) => decodeFixed(text, 32, "a hash"),
  (value) => value,
);

export const storageSlot = wire(
  { title: "storage key", description: "Up to 32 bytes in hex" },
  hexDomain,
  decodeSlot,
  (value) => value,
);

/**
 * A storage key, decoded to the 32-byte slot and the key in the form that a proof returns. As in geth, a proof returns
 * a 32-byte key unchanged and a shorter key as a quantity.
 */
export const proofKey = wire<{ slot: Hex; key: Hex }>(
  { title: "storage key", description: "Up to 32 bytes in hex" },
  z.custom<{ slot: Hex; key: Hex }>(),
  (text) => {
    const slot = decodeSlot(text);
    return { slot, key: text.length === 66 ? slot : toQuantity(BigInt(slot)) };
  },
  ({ key }) => key,
);

function encodeBlockText(ref: BlockRef): string {
  if ("tag" in ref) return ref.tag;
  return "number" in ref ? toQuantity(ref.number) : ref.hash;
}

const blockText = wire<BlockRef>(
  { title: "block", description: "latest, safe, finalized, earliest, pending, a hex number or a 32-byte hash" },
  z.custom<BlockRef>(),
  decodeBlockText,
  encodeBlockText,
);

/** EIP-1898. */
const blockObject = z.codec(
  z.strictObject({
    blockNumber: z.string().optional(),
    blockHash: z.string().optional(),
    requireCanonical: z.boolean().optional(),
  }),
  z.custom<BlockRef>(),
  {
    decode: (given, payload) => {
      try {
        if ((given.blockNumber === undefined) === (given.blockHash === undefined)) {
          throw new WireError("expected exactly one of blockNumber and blockHash");
        }
        if (given.blockNumber !== undefined) return decodeBlockText(given.blockNumber);
        const hash = decodeFixed(given.blockHash ?? "", 32, "a block hash");
        return given.requireCanonical === undefined ? { hash } : { hash, requireCanonical: given.requireCanonical };
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        payload.issues.push({ code: "custom", message: error.message, input: given });
        return z.NEVER;
      }
    },
    encode: (ref) => {
      if (!("hash" in ref)) return { blockNumber: encodeBlockText(ref) };
      const { hash: blockHash, requireCanonical } = ref;
      return requireCanonical === undefined ? { blockHash } : { blockHash, requireCanonical };
    },
  },
);

/** A block tag, a hex number, a 32-byte hash or an EIP-1898 object. */
export const blockRef = z.union([blockText, blockObject], {
  error: "expected a block tag, number, hash or EIP-1898 object",
});

/** A block as the last param. Defaults to latest if omitted or null. */
export const blockOrLatest = blockRef.nullish().transform((ref): BlockRef => ref ?? { tag: "latest" });
/** A block as the last param. Defaults to pending if omitted or null. */
export const blockOrPending = blockRef.nullish().transform((ref): BlockRef => ref ?? { tag: "pending" });

/** The shapes for results. They accept only strict, lowercase hex, because the node itself produces the results. */
const shape = (digits: RegExp, title: string) => z.templateLiteral(["0x", z.string().regex(digits)]).meta({ title });
export const hexQuantity = shape(/^(0|[1-9a-f][0-9a-f]*)$/, "quantity");
export const hexData = shape(/^([0-9a-f]{2})*$/, "data");
export const hexAddress = shape(/^[0-9a-f]{40}$/, "address");
export const hexHash = shape(/^[0-9a-f]{64}$/, "hash");
export const hexNonce = shape(/^[0-9a-f]{16}$/, "8 bytes");
export const hexBloom = shape(/^[0-9a-f]{512}$/, "256 bytes");
