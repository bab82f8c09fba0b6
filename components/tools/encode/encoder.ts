/** Defines what an encoder is, how it runs, and how it reads its fields. */
import { type Hex, isHex, numberToHex, stringToHex } from "viem";
import { addressHint, isAddress, toLowerAddress } from "@/lib/address";

type EncoderField = {
  name: string;
  label: string;
  example: string;
  isLong?: true;
  isOptional?: true;
};
/** `opens` is a link to the encoder that reverses this one, with the result filled in. */
export type EncoderResult = { label: string; value: string; opens?: { label: string; tool: string; texts: Texts } };
/** `run` throws an error with one clear sentence if a text is invalid. */
export type Encoder = {
  id: string;
  group: "ABI" | "Bytes" | "Signatures" | "Addresses" | "Numbers";
  label: string;
  hint: string;
  fields: readonly EncoderField[];
  run(texts: Texts): readonly EncoderResult[] | Promise<readonly EncoderResult[]>;
};

/** An encoder's inputs by field name. */
export type Texts = Record<string, string>;
/** Undefined while a required field is empty. */
export type Outcome = { results: readonly EncoderResult[] } | { fault: string } | undefined;

export const toExample = ({ fields }: Encoder): Texts =>
  Object.fromEntries(fields.map(({ name, example }) => [name, example]));

export async function runEncoder(encoder: Encoder, texts: Texts): Promise<Outcome> {
  const isMissing = encoder.fields.some(({ name, isOptional }) => !isOptional && !texts[name]?.trim());
  if (isMissing) return undefined;
  try {
    const trimmed = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()]));
    return { results: await encoder.run(trimmed) };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

/** The first account of the test mnemonic, for examples. */
export const developer = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export function toHexText(text: string, what: string): Hex {
  const hex = text.startsWith("0x") ? text : `0x${text}`;
  if (!isHex(hex) || hex.length % 2 !== 0) throw new Error(`${what} must be hex with an even number of digits.`);
  return hex.toLowerCase() as Hex;
}

export function toAddress(text: string, what: string): Hex {
  if (!isAddress(text)) throw new Error(`${what} is not an address. ${addressHint}`);
  return toLowerAddress(text);
}

/** Reads hex as bytes, and any other text as UTF-8. */
export const toBytes = (text: string): Hex => (isHex(text) && text.length % 2 === 0 ? text : stringToHex(text));

/** Parses JSON. Integers with many digits become strings, so that they stay exact. `form` shows what is expected. */
export function parseJson(text: string, what: string, form: string): unknown {
  try {
    return JSON.parse(text.replace(/(?<=[[,:]\s*)-?\d{16,}(?=\s*[\],}])/g, '"$&"'));
  } catch {
    throw new Error(`${what} must be valid JSON, for example ${form}.`);
  }
}

export const toJson = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === "bigint" ? each.toString() : each), 2);

export function toWord(text: string, what: string): Hex {
  if (!/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(text) || BigInt(text) >> 256n > 0n) {
    throw new Error(`${what} must be a number, an address or 32 bytes of hex.`);
  }
  return numberToHex(BigInt(text), { size: 32 });
}

/** Turns any error into one sentence. Drops the details that viem adds after an error's message. */
export function toFault(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string };
  const [first = "The input is invalid."] = (shortMessage ?? message ?? "").split("\n").filter(Boolean);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
