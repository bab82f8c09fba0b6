/**
 * The catalogue's little language.
 */
import { expect, test } from "vitest";
import { messages } from "@/lib/messages/en";
import { formatMessage, toPieces } from "@/lib/messages/format";
import { t } from "@/lib/messages/translate";

test("values and counts are put in", () => {
  expect(t("logs.title", { count: 1 })).toBe("1 log");
  expect(t("logs.title", { count: 0 })).toBe("0 logs");
  expect(t("block.titleNumber", { number: 7 })).toBe("Block 7");
  expect(formatMessage("{a} and {a}", { a: "x" })).toBe("x and x");
});

test("a value is never read as a pattern again", () => {
  expect(formatMessage("{a}!", { a: "{b|one|other}" })).toBe("{b|one|other}!");
});

test("every text of the catalogue is well formed", () => {
  for (const [key, text] of Object.entries(messages)) {
    expect(text.trim(), key).toBe(text);
    const rest = toPieces(text).map((piece) => ("text" in piece ? piece.text : ""));
    expect(rest.join(""), key).not.toMatch(/[{}|]/);
  }
});
