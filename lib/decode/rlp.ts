/** Splits a transaction's RLP into fields with their positions, so that a page can show the meaning of each byte. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { toBytes } from "@/lib/decode/words";
import { maxRlpDepth, RlpError, readRlpHead } from "@/lib/rlp";

export type RlpItem = {
  /** The start and end of the whole item, including its prefix. Both count hex digits after 0x. */
  start: number;
  end: number;
  /** A string's payload in hex, or a list's items. */
  value: string | RlpItem[];
};

/** Parses one RLP item. Returns undefined if the digits are not canonical RLP or contain more than one item. */
export function findRlp(digits: string, offset = 0): RlpItem | undefined {
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) return undefined;
  const bytes = toBytes(digits);
  try {
    const item = readItem(digits, bytes, offset / 2, bytes.length, 0);
    return item.end === digits.length ? item : undefined;
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}

function readItem(digits: string, bytes: Uint8Array, offset: number, limit: number, depth: number): RlpItem {
  const { isList, start, length } = readRlpHead(bytes, offset, limit);
  const end = start + length;
  const place = { start: 2 * offset, end: 2 * end };
  if (!isList) return { ...place, value: digits.slice(2 * start, 2 * end) };
  if (depth === maxRlpDepth) throw new RlpError("RLP is nested too deeply.");
  const items: RlpItem[] = [];
  for (let at = start; at < end; ) {
    const item = readItem(digits, bytes, at, end, depth + 1);
    items.push(item);
    at = item.end / 2;
  }
  return { ...place, value: items };
}

const signature = ["yParity", "r", "s"];
/** The first fields in every transaction type since EIP-1559. */
const feeMarket = [
  "chainId",
  "nonce",
  "maxPriorityFeePerGas",
  "maxFeePerGas",
  "gasLimit",
  "to",
  "value",
  "data",
  "accessList",
];
/** The field names for each EIP-2718 type. The types are defined in EIP-155, 2930, 1559, 4844 and 7702. */
const fieldNames: Record<number, string[]> = {
  0: ["nonce", "gasPrice", "gasLimit", "to", "value", "data", "v", "r", "s"],
  1: ["chainId", "nonce", "gasPrice", "gasLimit", "to", "value", "data", "accessList", ...signature],
  2: [...feeMarket, ...signature],
  3: [...feeMarket, "maxFeePerBlobGas", "blobVersionedHashes", ...signature],
  4: [...feeMarket, "authorizationList", ...signature],
};

export type RawField = { name: string; item: RlpItem };

/** The fields of a signed transaction in its consensus encoding. Undefined if the type or encoding is unknown. */
export function findRawFields(raw: string): { type: number; fields: RawField[] } | undefined {
  const digits = raw.slice(2).toLowerCase();
  const first = Number.parseInt(digits.slice(0, 2), 16);
  const type = first >= 0xc0 ? 0 : first;
  const names = fieldNames[type];
  const root = findRlp(digits, type === 0 ? 0 : 2);
  if (!names || !root || typeof root.value === "string" || root.value.length !== names.length) return undefined;
  return { type, fields: root.value.map((item, index) => ({ name: names[index]!, item })) };
}

/** The hash of a signed transaction in its consensus encoding, which is given without 0x. */
export const toTransactionHash = (digits: string) => `0x${bytesToHex(keccak_256(toBytes(digits)))}`;

/** Fields that are numbers. All others are bytes. */
export const numberFields: ReadonlySet<string> = new Set([
  "chainId",
  "nonce",
  "gasPrice",
  "gasLimit",
  "value",
  "maxPriorityFeePerGas",
  "maxFeePerGas",
  "maxFeePerBlobGas",
  "v",
  "yParity",
]);
