import { expect, test } from "vitest";
import { findJsonFault } from "@/server/http/findJsonFault";

const find = (text: string) => findJsonFault(Buffer.from(text));
const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("accepts JSON of any length whose structure is small", () => {
  expect(find(`["${"[".repeat(1_000)}", "\\"${"{".repeat(1_000)}", "\\\\", ${nest(200)}]`)).toBeUndefined();
  expect(find(JSON.stringify({ data: `0x${"00".repeat(2_000_000)}` }))).toBeUndefined();
  expect(find(JSON.stringify(Array(40_000).fill({ a: 1 })))).toBeUndefined();
  // These bodies are invalid JSON, but this check leaves that error to the parser.
  expect(["", '"', '"\\"', "]]"].map(find)).toEqual([undefined, undefined, undefined, undefined]);
});

test("refuses JSON that would take long to parse", () => {
  expect(find(nest(2_000_000))).toBe("The JSON is nested more than 256 levels deep.");
  expect(find('{"a":'.repeat(300))).toBe("The JSON is nested more than 256 levels deep.");
  expect(find(`["\\\\", ${nest(300)}]`)).toBe("The JSON is nested more than 256 levels deep.");
  const tooMany = "The JSON has more than 100000 values: send fewer at once.";
  expect([`[${"[],".repeat(60_000)}0]`, `[${"0,".repeat(100_000)}0]`].map(find)).toEqual([tooMany, tooMany]);
});
