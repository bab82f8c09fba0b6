/** Tests the line of a sender's nonces, with gaps for the missing ones. */
import { expect, it } from "vitest";
import { toNonceLine } from "@/components/pool/nonceLine";

it("shows gaps before and between nonces, but not after the last one", () => {
  expect(toNonceLine(3, [5, 6, 9])).toEqual([
    { missing: [3, 4] },
    { nonce: 5, at: 0 },
    { nonce: 6, at: 1 },
    { missing: [7, 8] },
    { nonce: 9, at: 2 },
  ]);
  expect(toNonceLine(3, [3])).toEqual([{ nonce: 3, at: 0 }]);
  expect(toNonceLine(0, [])).toEqual([]);
});
