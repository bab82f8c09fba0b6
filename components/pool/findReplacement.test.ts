import { expect, it } from "vitest";
import { findReplacement } from "./findReplacement";

const hash = `0x${"a1".repeat(32)}`;

it("finds the hash of the other transaction, and only at the end of a reason", () => {
  expect(findReplacement(`replaced by ${hash}`)).toEqual({ words: "replaced by", hash });
  expect(findReplacement(`${hash} was replaced`)).toBeUndefined();
  expect(findReplacement(`replaced by ${hash}0`)).toBeUndefined();
  expect(findReplacement("")).toBeUndefined();
});
