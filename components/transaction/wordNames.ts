/** The names of the arguments in calldata, for showing them beside its words. */
import type { Decoded } from "@/lib/decode/decoded";

/** Whether a type's values take up one word. */
const isWord = (type: string) => /^(address|bool|u?int\d*|bytes\d+)$/.test(type);

/** Undefined unless every argument is one word. */
export function findWordNames(input: string, reading: Decoded | undefined): string[] | undefined {
  const values = reading?.values ?? [];
  const isFlat =
    values.length === (input.length - 10) / 64 &&
    values.every(({ value, type }) => typeof value === "string" && isWord(type));
  return isFlat ? values.map(({ name }) => name) : undefined;
}
