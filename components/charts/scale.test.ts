/** The shapes of charts: at zero, at the top, over gaps, and for series of nothing. */
import { expect, it } from "vitest";
import { toBars, toLinePath, toScale } from "@/components/charts/scale";

const points = (...values: (number | null)[]) => values.map((value, at) => ({ label: String(at), value }));

it("spans from zero to the largest value", () => {
  expect(toScale(points(3, null, 7))).toEqual({ min: 0, max: 7 });
  expect(toScale(points(0, 0))).toEqual({ min: 0, max: 1 });
  expect(toScale([])).toEqual({ min: 0, max: 1 });
});

it("draws a line through the middle of each point's room, lifted over gaps", () => {
  const series = points(0, 10, null, 5);
  expect(toLinePath(series, toScale(series))).toBe("M125 100L375 0M875 50");
});

it("draws bars that stand on zero and can be seen", () => {
  const series = points(0, 10, 0.001, null);
  expect(toBars(series, toScale(series))).toEqual([
    { x: 275, y: 0, width: 200, height: 100 },
    { x: 525, y: 99.5, width: 200, height: 0.5 },
  ]);
});
