/** Tests that headers survive a round trip, and that invalid ones are rejected with a clear message. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHeader, encodeHeader, maxHeaderLength } from "@/lib/x402/header";
import { WireError } from "@/lib/x402/wireError";

describe("payment headers", () => {
  it("preserve any JSON value, in any script", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (json) => {
        const value = JSON.parse(json);
        fc.pre(json.length < 4_000);
        expect(decodeHeader(encodeHeader(value))).toEqual(value);
      }),
    );
    expect(decodeHeader(encodeHeader({ text: "größe ☕ 支払い 🪙" }))).toEqual({ text: "größe ☕ 支払い 🪙" });
  });

  it("match other base64 implementations", () => {
    const value = { url: "http://localhost/ü?a=1" };
    expect(encodeHeader(value)).toBe(Buffer.from(JSON.stringify(value)).toString("base64"));
    expect(decodeHeader(Buffer.from(JSON.stringify(value)).toString("base64"))).toEqual(value);
  });

  const refused: [string, string, RegExp][] = [
    ["nothing", "", /empty/],
    ["base64url", "-_-_", /standard base64/],
    ["blanks", "e30 ", /standard base64/],
    ["padding in the middle", "e3=0", /standard base64/],
    ["a single character", "e", /UTF-8/],
    ["bytes that are not UTF-8", "//79", /UTF-8/],
    ["text that is not JSON", "e3s=", /JSON/],
    ["too many characters", "A".repeat(maxHeaderLength + 1), /the limit is/],
  ];
  it.each(refused)("reject %s", (_, header, message) => {
    expect(() => decodeHeader(header)).toThrow(WireError);
    expect(() => decodeHeader(header)).toThrow(message);
  });

  it("cannot exceed the length that servers accept", () => {
    expect(() => encodeHeader("x".repeat(maxHeaderLength))).toThrow(WireError);
  });
});
