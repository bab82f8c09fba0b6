/**
 * Reads the RLP of a transaction into its fields, each with its place in the bytes, so that a page can show which bytes
 * mean what. Strictly as in the Yellow Paper, appendix B, but for lengths that are not minimal, which no block holds.
 */

export type RlpItem = {
  /** Places in hex digits after 0x: of the whole item with its prefix. */
  start: number;
  end: number;
  /** Hex of the payload of a string; the items of a list. */
  value: string | RlpItem[];
};

/** undefined where the bytes are no RLP, or more than one item. */
export function findRlp(digits: string, offset = 0): RlpItem | undefined {
  const item = findItem(digits, offset);
  return item?.end === digits.length ? item : undefined;
}

function findItem(digits: string, start: number): RlpItem | undefined {
  const prefix = Number.parseInt(digits.slice(start, start + 2), 16);
  if (Number.isNaN(prefix)) return undefined;
  if (prefix < 0x80) return { start, end: start + 2, value: digits.slice(start, start + 2) };
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  const lengthDigits = short > 55 ? (short - 55) * 2 : 0;
  const length = lengthDigits === 0 ? short : Number.parseInt(digits.slice(start + 2, start + 2 + lengthDigits), 16);
  const from = start + 2 + lengthDigits;
  const end = from + length * 2;
  if (!(end <= digits.length)) return undefined;
  if (!isList) return { start, end, value: digits.slice(from, end) };
  const items: RlpItem[] = [];
  for (let place = from; place < end; ) {
    const item = findItem(digits, place);
    if (!item || item.end > end) return undefined;
    items.push(item);
    place = item.end;
  }
  return { start, end, value: items };
}

const signature = ["yParity", "r", "s"];
/** What the types since EIP-1559 begin with. */
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
/** Field names by EIP-2718 type: EIP-155, 2930, 1559, 4844, 7702. */
const fieldNames: Record<number, string[]> = {
  0: ["nonce", "gasPrice", "gasLimit", "to", "value", "data", "v", "r", "s"],
  1: ["chainId", "nonce", "gasPrice", "gasLimit", "to", "value", "data", "accessList", ...signature],
  2: [...feeMarket, ...signature],
  3: [...feeMarket, "maxFeePerBlobGas", "blobVersionedHashes", ...signature],
  4: [...feeMarket, "authorizationList", ...signature],
};

export type RawField = { name: string; item: RlpItem };

/** The fields of a signed transaction in its consensus encoding; undefined where it is none that we know. */
export function findRawFields(raw: string): { type: number; fields: RawField[] } | undefined {
  const digits = raw.slice(2).toLowerCase();
  const first = Number.parseInt(digits.slice(0, 2), 16);
  const type = first >= 0xc0 ? 0 : first;
  const names = fieldNames[type];
  const root = findRlp(digits, type === 0 ? 0 : 2);
  if (!names || !root || typeof root.value === "string" || root.value.length !== names.length) return undefined;
  return { type, fields: root.value.map((item, index) => ({ name: names[index]!, item })) };
}

/** Fields that are numbers; the others are bytes. */
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
