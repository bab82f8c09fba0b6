/**
 * The catalogue's little language, and what holds of every text in it.
 */
import { expect, test } from "vitest";
import { formatMessage, toPieces } from "@/lib/messages/format";
import { t as tBlock } from "@/lib/messages/translateBlock";
import { t } from "@/lib/messages/translateTransaction";

const parts = Object.entries(import.meta.glob<Record<string, Record<string, string>>>("./en*.ts", { eager: true }));
const texts = parts.flatMap(([file, part]) =>
  Object.values(part).flatMap((messages) => Object.entries(messages).map(([key, text]) => ({ file, key, text }))),
);

test("values and counts are put in", () => {
  expect(t("logs.title", { count: 1 })).toBe("1 log");
  expect(t("logs.title", { count: 0 })).toBe("0 logs");
  expect(tBlock("block.titleNumber", { number: 7 })).toBe("Block 7");
  expect(formatMessage("{a} and {a}", { a: "x" })).toBe("x and x");
});

test("a value is never read as a pattern again", () => {
  expect(formatMessage("{a}!", { a: "{b|one|other}" })).toBe("{b|one|other}!");
});

test("every text of the catalogue is well formed", () => {
  expect(texts.length).toBeGreaterThan(1_000);
  for (const { key, text } of texts) {
    expect(text.trim(), key).toBe(text);
    const rest = toPieces(text).map((piece) => ("text" in piece ? piece.text : ""));
    expect(rest.join(""), key).not.toMatch(/[{}|]/);
  }
});

test("a key is in one part of the catalogue, so that no part hides another's text", () => {
  const seen = new Map<string, string>();
  for (const { file, key } of texts) {
    expect(seen.get(key), key).toBeUndefined();
    seen.set(key, file);
  }
});
