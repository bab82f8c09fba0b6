/** Parses pasted text as an ABI and decodes with it. Loaded only if an ABI was pasted, because it imports viem. */
import { type Abi, parseAbi, toFunctionSelector } from "viem";
import type { Decoded } from "@/lib/decode/decoded";
import { createDecoder, type Decoder } from "@/lib/decode/decoder";

export type PastedAbi = { name: string; abi: unknown[] };

/** Skips stored ABIs that can't be parsed, for example because another version of the app stored them. */
export function createPastedDecoder(abis: readonly PastedAbi[]): Decoder {
  const readable = abis.filter((pasted) => {
    try {
      createDecoder([{ name: pasted.name, abi: pasted.abi as Abi }]);
      return true;
    } catch {
      return false;
    }
  });
  return createDecoder(readable.map(({ name, abi }) => ({ name, abi: abi as Abi })));
}

/** A deployment's constructor arguments, decoded with the first pasted ABI that they fit exactly. */
export function decodeConstructor(abis: readonly PastedAbi[], data: string): Decoded | undefined {
  for (const { name, abi } of abis) {
    const found = (abi as Abi).find((item) => item?.type === "constructor");
    if (found?.type !== "constructor" || !found.inputs?.length) continue;
    // A constructor's arguments are encoded in the same way as a function's.
    const item = { ...found, type: "function" as const, name: "constructor", outputs: [] };
    const call = { kind: "call" as const, data: `${toFunctionSelector(item)}${data.slice(2)}` };
    const reading = createDecoder([{ name, abi: [item] }]).decode(call)[0];
    if (reading && !reading.guess) return reading;
  }
  return undefined;
}

/**
 * Accepts an ABI as JSON, as a compiler artifact, or as Solidity signatures, one per line. Throws an Error with a
 * message for the user.
 */
export function parsePastedAbi(text: string): unknown[] {
  const trimmed = text.trim();
  const abi = /^[[{]/.test(trimmed) ? findAbi(JSON.parse(trimmed)) : parseSignatures(trimmed);
  if (!abi || abi.length === 0) throw new Error("No ABI found in this text.");
  // Creating a decoder computes the selectors, so an ABI that could not be used later is rejected here.
  createDecoder([{ name: "", abi: abi as Abi }]);
  return abi;
}

function findAbi(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const { abi } = value as { abi?: unknown };
  return Array.isArray(abi) ? abi : undefined;
}

function parseSignatures(text: string): unknown[] {
  const lines = text
    .split(/[\n;]+/)
    .map((line) => line.trim())
    .filter(Boolean);
  return parseAbi(lines as readonly string[] as never) as unknown[];
}
