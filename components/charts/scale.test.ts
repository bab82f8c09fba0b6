/** Tests chart geometry: scales that start at zero, lines with gaps, bars, and empty series. */
import { expect, it } from "vitest";
import {
  toBars,
  toDotPath,
  toGroupedPoint,
  toGroupedX,
  toGroupPath,
  toGroups,
  toLevels,
  toLinePath,
  toScale,
  toTicks,
} from "@/components/charts/scale";

const points = (...values: (number | null)[]) => values.map((value, at) => ({ label: String(at), value, at }));

it("labels round times, as precisely as their steps need, and the first of each of several days with its date", () => {
  const ticks = (...seconds: number[]) => toTicks(seconds.map((at) => ({ label: "", value: 0, at })));
  const series = (from: number, interval: number, count: number) =>
    ticks(...Array.from({ length: count }, (_, place) => from + place * interval));
  const hour = 3600;
  expect(series(10, 10, 6).texts).toEqual(["00:00:30", "00:01:00"]);
  expect(series(12.5 * hour, hour / 2, 23)).toEqual({
    head: "UTC",
    texts: ["14:00", "16:00", "18:00", "20:00", "22:00"],
    places: [3, 7, 11, 15, 19],
  });
  // A sample that was taken a little later than a round time has its label.
  expect(series(59, 10, 30).texts).toEqual(["00:01", "00:02", "00:03", "00:04", "00:05"]);
  expect(series(20 * hour, hour, 12).texts).toEqual(["21:00", "00:00", "03:00", "06:00"]);
  expect(series(20 * hour, 2 * hour, 30).texts).toEqual(["01-02", "12:00", "01-03", "12:00", "01-04"]);
  expect(series(0, 24 * hour, 9).texts).toEqual(["01-01", "01-03", "01-05", "01-07", "01-09"]);
  // No familiar step is long enough.
  expect(series(0, 7 * 24 * hour, 20).texts).toEqual(["01-01", "01-29", "02-26", "03-26", "04-23"]);
  expect(series(0, 90 * 24 * hour, 10).texts).toEqual(["1970-01", "1970-06", "1970-12", "1971-06", "1971-12"]);
  expect(ticks(0, 7200).texts).toEqual(["00:00", "02:00"]);
  expect(ticks(5, 5, 6, 6).places).toEqual([0, 2]);
  expect(ticks(5).places).toEqual([0]);
});

it("labels round block numbers if the points are blocks", () => {
  const blocks = (first: number, count: number) =>
    toTicks(Array.from({ length: count }, (_, at) => ({ label: "", value: 0, at, block: first + at })));
  expect(blocks(1489, 200)).toEqual({
    head: "Block",
    texts: ["1500", "1550", "1600", "1650"],
    places: [11, 61, 111, 161],
  });
  expect(blocks(1, 50).texts).toEqual(["10", "20", "30", "40", "50"]);
  expect(blocks(7, 3).texts).toEqual(["7", "8", "9"]);
  expect(blocks(9, 8).texts).toEqual(["10", "12", "14", "16"]);
  expect(blocks(1, 1000).texts).toEqual(["200", "400", "600", "800", "1000"]);
});

it("scales from zero to a round number, half of which is whole for counts", () => {
  expect(toScale(points(3, null, 7))).toEqual({ min: 0, max: 8 });
  expect(toScale(points(8, 10))).toEqual({ min: 0, max: 10 });
  expect(toScale(points(150.5, 3))).toEqual({ min: 0, max: 200 });
  expect(toScale(points(0.03, 0.01))).toEqual({ min: 0, max: 0.03 });
  expect(toScale(points(0, 0))).toEqual({ min: 0, max: 1 });
  expect(toScale(points(1, 0))).toEqual({ min: 0, max: 1 });
  expect(toScale([])).toEqual({ min: 0, max: 1 });
  expect(toScale(points(3, 3, null))).toEqual({ min: 0, max: 4 });
  expect(toScale(points(8, 8))).toEqual({ min: 0, max: 10 });
  expect(toScale(points(25.7, 25.7))).toEqual({ min: 0, max: 40 });
});

it("draws a line at the middle of the scale, unless it goes to a count of one", () => {
  const levels = (...values: (number | null)[]) => toLevels(points(...values), toScale(points(...values)), false);
  expect(levels(0, 3)).toEqual([4, 2, 0]);
  expect(levels(0, null, 1)).toEqual([1, 0]);
  expect(levels(0.3, 0.9)).toEqual([1, 0.5, 0]);
  expect(toLevels(points(0, 1), toScale(points(0, 1)), true)).toEqual([1, 0.5, 0]);
});

it("draws a line through the center of each point's slot and breaks it at gaps", () => {
  const series = points(0, 10, null, 5);
  expect(toLinePath(series, toScale(series))).toBe("M125 100L375 0M875 50");
});

it("draws a dot at each value of a short series, and at those of a long one that have no neighbors", () => {
  const short = points(0, null, 10);
  expect(toDotPath(short, toScale(short))).toBe("M166.67 100h0M833.33 0h0");
  const long = points(10, null, ...Array.from({ length: 18 }, () => 0));
  expect(toDotPath(long, toScale(long))).toBe("M25 0h0");
});

it("draws bars that start at zero and are at least half a unit high", () => {
  const series = points(0, 10, 0.001, null);
  expect(toBars(series, toScale(series))).toEqual([
    { x: 375, y: 0 },
    { x: 625, y: 99.5 },
  ]);
});

it("groups a long series by block or time, with the maximum and the average of each group", () => {
  const blocks = (first: number, count: number) =>
    toGroups(Array.from({ length: count }, (_, at) => ({ label: "", value: at % 4, at: 0, block: first + at })));
  const { size, groups } = blocks(1490, 199);
  expect(size).toBe(4);
  // A group starts at a multiple of its size, so that it contains the same blocks after the next one.
  expect(groups.slice(0, 2)).toEqual([
    { from: 0, to: 2, max: 1, average: 0.5 },
    { from: 2, to: 6, max: 3, average: 1.5 },
  ]);
  // Less than half a group at an end joins the next group.
  expect(groups.at(-1)).toMatchObject({ from: 194, to: 199 });
  expect(blocks(1491, 200).groups[0]).toMatchObject({ from: 0, to: 5 });
  const times = Array.from({ length: 100 }, (_, at) => ({ label: "", value: at === 3 ? null : 6, at: 1000 + 10 * at }));
  expect(toGroups(times).seconds).toBe(20);
  expect(toGroups(times).groups[1]).toEqual({ from: 2, to: 4, max: 6, average: 6 });
});

it("draws equally wide groups with gaps between them, and none for zero", () => {
  const groups = [
    { from: 0, to: 1, max: 0, average: 0 },
    { from: 1, to: 4, max: 10, average: 5 },
  ];
  expect(toGroupPath(groups, "max", { min: 0, max: 10 })).toBe("M550 100V0H950V100z");
  expect(toGroupPath(groups, "average", { min: 0, max: 10 })).toBe("M550 100V50H950V100z");
});

it("places each point within its group, and finds it there", () => {
  const groups = [
    { from: 0, to: 1 },
    { from: 1, to: 3 },
  ];
  expect([0, 1, 2].map((at) => toGroupedX(at, groups))).toEqual([250, 625, 875]);
  expect([0, 0.49, 0.5, 0.74, 0.76, 1].map((share) => toGroupedPoint(share, groups))).toEqual([0, 0, 1, 1, 2, 2]);
  // The pointer can be just outside the chart.
  expect([-0.1, 1.1].map((share) => toGroupedPoint(share, groups))).toEqual([0, 2]);
  // One group of all points is a chart without groups.
  expect(toGroupedX(1, [{ from: 0, to: 4 }])).toBe(375);
  expect(toGroupedPoint(0.3, [{ from: 0, to: 4 }])).toBe(1);
});
