import { expect, it } from "vitest";
import { toShownText } from "@/lib/shownText";

it("removes direction marks, control characters and invisible characters", () => {
  expect(toShownText("US\u202eD\u2066C\u200e \u0007(real)\u200b\ufeff", 50)).toBe("USDC (real)");
  expect(toShownText("two\r\nlines\tand a tab", 50)).toBe("two lines and a tab");
  expect(toShownText("Ünï😀", 50)).toBe("Ünï😀");
});

it("cuts long text between characters", () => {
  expect(toShownText("😀".repeat(10), 10)).toBe("😀".repeat(10));
  expect(toShownText("😀".repeat(11), 10)).toBe(`${"😀".repeat(9)}…`);
  expect(toShownText("x".repeat(8_000_000), 16)).toBe(`${"x".repeat(15)}…`);
  expect(toShownText("\u202e".repeat(100), 10)).toBe("…");
});
