/**
 * Cursors for paged lists: opaque text that callers pass back. A cursor identifies the last row returned, so new rows
 * cause no repeats or gaps.
 */
import { hexToString, stringToHex } from "viem";
import { z } from "zod";
import type { Hex } from "@/lib/rpc/codec";
import { toQuantity } from "@/lib/units";

function cursor<Out>(expression: RegExp, read: (parts: string[]) => Out, write: (value: Out) => string) {
  const text = z
    .string()
    .regex(expression, "not a cursor for this list; pass the 'next' value from the previous page")
    .meta({ title: "cursor", description: "The 'next' value from the previous page" });
  return z.codec(text, z.custom<Out>(), { decode: (value) => read(value.split("-")), encode: write });
}

const number = "0x[0-9a-f]{1,13}";
const toNumber = (text: string | undefined) => Number.parseInt(text ?? "", 16);

export const blockCursor = cursor(new RegExp(`^${number}$`), (parts) => toNumber(parts[0]), toQuantity);

export const transactionCursor = cursor(
  new RegExp(`^${number}-${number}$`),
  (parts) => ({ blockNumber: toNumber(parts[0]), index: toNumber(parts[1]) }),
  (at) => `${toQuantity(at.blockNumber)}-${toQuantity(at.index)}`,
);

export const indexCursor = cursor(new RegExp(`^${number}$`), (parts) => toNumber(parts[0]), toQuantity);

export const paymentCursor = cursor(
  new RegExp(`^${number}-0x[0-9a-f]{64}$`),
  (parts) => ({ createdAtMs: toNumber(parts[0]), id: parts[1] as Hex }),
  (at) => `${toQuantity(at.createdAtMs)}-${at.id}`,
);

/** The cursor for lists of payment totals. It contains the full subject, which can be any text. */
export const totalCursor = cursor(
  /^0x[0-9a-f]{40}-0x(?:[0-9a-f]{2}){0,16384}$/,
  ([asset, subject]) => ({ asset: asset as Hex, subject: hexToString(subject as Hex) }),
  (at) => `${at.asset}-${stringToHex(at.subject)}`,
);

export const internalCursor = cursor(
  new RegExp(`^${number}-${number}$`),
  (parts) => ({ blockNumber: toNumber(parts[0]), sequence: toNumber(parts[1]) }),
  (at) => `${toQuantity(at.blockNumber)}-${toQuantity(at.sequence)}`,
);

export const logCursor = cursor(
  new RegExp(`^${number}-${number}$`),
  (parts) => ({ blockNumber: toNumber(parts[0]), logIndex: toNumber(parts[1]) }),
  (at) => `${toQuantity(at.blockNumber)}-${toQuantity(at.logIndex)}`,
);

export const holderCursor = cursor(
  /^0x[0-9a-f]{1,64}-0x[0-9a-f]{40}$/,
  (parts) => ({ units: BigInt(parts[0]!), address: parts[1] as Hex }),
  (at) => `${toQuantity(at.units)}-${at.address}`,
);

export const tokenCursor = cursor(
  new RegExp(`^${number}-0x[0-9a-f]{40}$`),
  (parts) => ({ holders: toNumber(parts[0]), token: parts[1] as Hex }),
  (at) => `${toQuantity(at.holders)}-${at.token}`,
);

export const nftCursor = cursor(
  /^0x[0-9a-f]{40}-0x[0-9a-f]{1,64}$/,
  (parts) => ({ token: parts[0] as Hex, tokenId: BigInt(parts[1]!) }),
  (at) => `${at.token}-${toQuantity(at.tokenId)}`,
);

export const addressCursor = cursor(
  /^0x[0-9a-f]{40}$/,
  (parts) => parts[0] as Hex,
  (at) => at,
);

export const slotCursor = cursor(
  /^0x[0-9a-f]{64}$/,
  (parts) => parts[0] as Hex,
  (at) => at,
);
