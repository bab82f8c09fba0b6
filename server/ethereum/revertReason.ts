/** Reads the reason from revert data: Error(string), Panic(uint256) or a custom error in Solidity's ABI. */
import { isUtf8 } from "node:buffer";
import { toShownText } from "@/lib/shownText";
import { toBigInt, toHex } from "@/server/ethereum/codec/bytes";

const errorSelector = "0x08c379a0";
const panicSelector = "0x4e487b71";

/** Descriptions of Solidity's panic codes, in geth's words. */
const panics: Partial<Record<string, string>> = {
  "0": "generic panic",
  "1": "assert(false)",
  "17": "arithmetic underflow or overflow",
  "18": "division or modulo by zero",
  "33": "enum overflow",
  "34": "invalid encoded storage byte array accessed",
  "49": "out-of-bounds array access; popping on an empty array",
  "50": "out-of-bounds access of an array or bytesN",
  "65": "out of memory",
  "81": "uninitialized function",
};

/** The contract chooses the reason, so we limit the reason's length. */
const longestReason = 1_000;

/** The reason in the revert data; undefined if the data has another format. */
export function findRevertReason(data: Uint8Array): string | undefined {
  const revert = findRevert(data);
  if (!revert || "reason" in revert) return revert?.reason;
  return panics[revert.panic.toString()] ?? `unknown panic code: 0x${revert.panic.toString(16)}`;
}

/**
 * Describes revert data without a reason as anvil does, because test suites match on the text: the custom error's
 * selector and the rest of the data, as text if it is text. Undefined if the data is shorter than a selector.
 */
export function describeCustomError(data: Uint8Array): string | undefined {
  if (data.length < 4) return undefined;
  const text = Buffer.from(data).toString("latin1");
  if (/^[\x20-\x7e]{5,}$/.test(text)) return toShownText(text, longestReason);
  const name = `custom error ${toHex(data.subarray(0, 4))}`;
  const details = data.subarray(4);
  const shown = isUtf8(details) ? toShownText(Buffer.from(details).toString("utf8"), longestReason) : "";
  if (shown) return `${name}: ${shown}`;
  return details.length > 0 ? `${name}: ${toShownText(toHex(details).slice(2), longestReason)}` : name;
}

/** The reason or the panic code in the revert data; undefined if the data has another format. */
export function findRevert(data: Uint8Array): { reason: string } | { panic: bigint } | undefined {
  const selector = toHex(data.subarray(0, 4));
  const body = data.subarray(4);
  if (selector === panicSelector && body.length >= 32) return { panic: toBigInt(body.subarray(0, 32)) };
  if (selector !== errorSelector || body.length < 64) return undefined;
  const offset = toBigInt(body.subarray(0, 32));
  if (offset > BigInt(body.length - 32)) return undefined;
  const start = Number(offset) + 32;
  const length = toBigInt(body.subarray(start - 32, start));
  if (length > BigInt(body.length - start)) return undefined;
  const text = Buffer.from(body.subarray(start, start + Number(length))).toString("utf8");
  return { reason: toShownText(text, longestReason) };
}
