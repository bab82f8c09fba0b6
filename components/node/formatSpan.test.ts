import { expect, test } from "vitest";
import { formatSpan } from "@/components/node/formatSpan";

test("a span has its largest unit and the one below it", () => {
  expect(formatSpan(0.4)).toBe("0 s");
  expect(formatSpan(45.9)).toBe("45 s");
  expect(formatSpan(65)).toBe("1 min 5 s");
  expect(formatSpan(6_900)).toBe("1 h 55 min");
  expect(formatSpan(7_201)).toBe("2 h");
  expect(formatSpan(93_600)).toBe("1 d 2 h");
});
