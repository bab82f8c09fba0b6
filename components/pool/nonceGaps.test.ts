import { describe, expect, it } from "vitest";
import { listNonceGaps, toNoncesText } from "@/components/pool/nonceGaps";

describe("listNonceGaps", () => {
  it.each([
    ["a missing nonce", 4, 5, [], [[4, 4]]],
    [
      "several gaps",
      4,
      10,
      [8, 6, 10],
      [
        [4, 5],
        [7, 7],
        [9, 9],
      ],
    ],
    ["no gap behind others", 4, 6, [4, 5, 6], []],
    ["the sender's next nonce", 4, 4, [4], []],
    ["a nonce that is already mined", 4, 3, [3], []],
    [
      "a distant nonce",
      0,
      2 ** 50,
      [1],
      [
        [0, 0],
        [2, 2 ** 50 - 1],
      ],
    ],
  ])("finds %s", (_, next, nonce, waiting, gaps) => {
    expect(listNonceGaps(next, nonce, waiting)).toEqual(gaps);
  });
});

describe("toNoncesText", () => {
  it.each([
    [[[4, 4]], "nonce 4"],
    [[[4, 5]], "nonces 4–5"],
    [
      [
        [4, 5],
        [7, 7],
      ],
      "nonces 4–5 and 7",
    ],
    [
      [
        [1, 1],
        [3, 3],
        [5, 5],
      ],
      "nonces 1, 3 and 5",
    ],
    [
      [
        [1, 1],
        [3, 3],
        [5, 5],
        [7, 7],
      ],
      "nonces 1, 3, 5 and 1 more gap",
    ],
  ] as const)("writes %j", (gaps, text) => {
    expect(toNoncesText(gaps)).toBe(text);
  });
});
