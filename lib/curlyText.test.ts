/** Tests that apostrophes become curly and that quotes stay as they are. */
import { expect, it } from "vitest";
import { toCurlyText } from "@/lib/curlyText";

it("converts apostrophes within words only", () => {
  expect(toCurlyText("an account's nonce; pass the result's 'next' as 'after'")).toBe(
    "an account’s nonce; pass the result’s 'next' as 'after'",
  );
});
