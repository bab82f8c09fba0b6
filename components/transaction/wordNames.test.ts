import { expect, it } from "vitest";
import type { Decoded, DecodedValue } from "@/lib/decode/decoded";
import { findWordNames } from "./wordNames";

const word = "00".repeat(32);
const toReading = (...values: Pick<DecodedValue, "name" | "type" | "value">[]) =>
  ({ values }) as Partial<Decoded> as Decoded;
const to = { name: "to", type: "address", value: "0x" };
const amount = { name: "amount", type: "uint256", value: "1" };

it("names the words of calldata", () => {
  expect(findWordNames(`0xa9059cbb${word}${word}`, toReading(to, amount))).toEqual(["to", "amount"]);
});

it.each([
  ["the function is unknown", `0xa9059cbb${word}`, undefined],
  ["the calldata has more words", `0xa9059cbb${word}${word}${word}`, toReading(to, amount)],
  ["an argument takes up several words", `0xa9059cbb${word}${word}`, toReading(to, { ...amount, type: "bytes" })],
])("names no words if %s", (_, input, reading) => {
  expect(findWordNames(input, reading)).toBeUndefined();
});
