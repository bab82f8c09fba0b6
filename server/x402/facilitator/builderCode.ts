/**
 * The builder-code extension: appends a payment's app code and service codes to its settlement's calldata as an
 * ERC-8021 schema 2 suffix. Contracts ignore the suffix, and indexers read it. Invalid codes are omitted, as in the
 * reference facilitator.
 */
import { concatHex, numberToHex, size, stringToHex } from "viem";
import type { Hex, PaymentPayload } from "@/lib/x402/types";

export const builderCodeKey = "builder-code";

const marker: Hex = `0x${"8021".repeat(8)}`;
const schemaId: Hex = "0x02";
/** The client and the server may each add up to five service codes. */
const maxServiceCodes = 10;

/** Returns the bytes to append to the settlement's calldata, or undefined if the payment carries no codes. */
export function findBuilderSuffix({ extensions }: PaymentPayload): Hex | undefined {
  const extension = extensions?.[builderCodeKey] as { info?: { a?: unknown; s?: unknown } | null } | null | undefined;
  const { a, s } = extension?.info ?? {};
  const services = (Array.isArray(s) ? s : [s]).filter(isCode).slice(0, maxServiceCodes);
  const entries: Hex[][] = [
    ...(isCode(a) ? [[toCborText("a"), toCborText(a)]] : []),
    ...(services.length > 0 ? [[toCborText("s"), toCborHead(4, services.length), ...services.map(toCborText)]] : []),
  ];
  if (entries.length === 0) return undefined;
  const cbor = concatHex([toCborHead(5, entries.length), ...entries.flat()]);
  return concatHex([cbor, numberToHex(size(cbor), { size: 2 }), schemaId, marker]);
}

function isCode(code: unknown): code is string {
  return typeof code === "string" && /^[a-z0-9_]{1,32}$/.test(code);
}

function toCborText(text: string): Hex {
  return concatHex([toCborHead(3, text.length), stringToHex(text)]);
}

/** The first bytes of a CBOR item with this major type and a length below 256. */
function toCborHead(type: 3 | 4 | 5, length: number): Hex {
  const first = type << 5;
  return length < 24
    ? numberToHex(first | length, { size: 1 })
    : numberToHex(((first | 24) << 8) | length, { size: 2 });
}
