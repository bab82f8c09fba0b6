/**
 * Converts a series to SVG shapes in a box that is 1000 wide and 100 high. The value axis starts at zero. A point
 * without a value becomes a gap.
 */

import { formatIso } from "@/lib/formatTime";

/** `at` is the point's time in seconds since the epoch. `block` is set if each point is a block. */
export type ChartPoint = { label: string; value: number | null; at: number; block?: number };
export type Scale = { min: number; max: number };

const width = 1000;
const height = 100;

/**
 * The scale goes from zero to a round number at or above the largest value. If all values are the same, it goes to at
 * least one and a quarter times that value, because a line at the top looks like a border.
 */
export function toScale(points: ChartPoint[]): Scale {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const max = Math.max(0, ...values);
  const isFlat = values.length > 1 && values.every((value) => value === max);
  const isCount = values.every((value) => Number.isInteger(value));
  return { min: 0, max: toRoundMax(Math.max(isFlat ? 1.25 * max : max, isCount ? 1 : 0) || 1, isCount) };
}

/**
 * Returns the smallest of a few round numbers at or above `value`, which is above zero. For counts above one, half of it
 * is whole too.
 */
function toRoundMax(value: number, isCount: boolean): number {
  if (isCount && value <= 1) return 1;
  const steps = isCount ? [2, 4, 6, 8, 10] : [1.5, 2, 3, 4, 5, 6, 8, 10];
  const exponent = Math.ceil(Math.log10(value)) - 1;
  const power = 10 ** Math.abs(exponent);
  const lead = exponent < 0 ? value * power : value / power;
  const roundLead = steps.find((step) => lead <= step) ?? 20;
  return exponent < 0 ? roundLead / power : roundLead * power;
}

/** Whether all values are zero or one. */
const areBinary = (points: ChartPoint[], { max }: Scale): boolean =>
  max === 1 && points.every(({ value }) => value === null || Number.isInteger(value));

/**
 * The values of the grid's lines, from the top: the scale's ends and its middle. If all values are zero or one, there is
 * nothing between them, except the averages of groups.
 */
export const toLevels = (points: ChartPoint[], scale: Scale, isGrouped: boolean): number[] =>
  areBinary(points, scale) && !isGrouped ? [scale.max, 0] : [scale.max, scale.max / 2, 0];

const toX = (index: number, count: number) => ((index + 0.5) / count) * width;
const toY = (value: number, { min, max }: Scale) => height - ((value - min) / (max - min)) * height;
const round = (value: number) => Math.round(value * 100) / 100;

/** The path of a line, with a gap for each missing value. */
export function toLinePath(points: ChartPoint[], scale: Scale): string {
  let isDown = false;
  return points
    .map(({ value }, index) => {
      if (value === null) {
        isDown = false;
        return "";
      }
      const step = `${isDown ? "L" : "M"}${round(toX(index, points.length))} ${round(toY(value, scale))}`;
      isDown = true;
      return step;
    })
    .join("");
}

/** A line through more values than this shows their places by itself, except a value without neighbors. */
const mostDots = 12;

/** A dot at each value that the line doesn't show: a line without a length, whose round ends are drawn. */
export function toDotPath(points: ChartPoint[], scale: Scale): string {
  const has = (index: number) => (points[index]?.value ?? null) !== null;
  const isEach = points.filter((_, index) => has(index)).length <= mostDots;
  return points
    .flatMap(({ value }, index) =>
      value === null || !(isEach || (!has(index - 1) && !has(index + 1)))
        ? []
        : [`M${round(toX(index, points.length))} ${round(toY(value, scale))}h0`],
    )
    .join("");
}

/** `places` are the indexes of the labeled points. `head` says what the labels are, if they are only numbers. */
type Ticks = { head: string; texts: string[]; places: number[] };

/** Axis labels at even intervals: round block numbers or, if the points are not blocks, round UTC times. */
export function toTicks(points: readonly ChartPoint[]): Ticks {
  return points[0]?.block === undefined
    ? toTimeTicks(points.map(({ at }) => at))
    : toBlockTicks(points.map(({ block = 0 }) => block));
}

const mostTimeTicks = 5;
const [minute, hour, day] = [60, 3600, 86_400];

/** Familiar steps of a time axis in seconds. Each is at most two and a half times the one before it. */
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2].map((days) => days * day),
];
/** With a longer step, labels are months. */
const longestDated = 60 * day;

/**
 * Labels the first point at or after each multiple of a step: the smallest familiar one with few enough labels or, for a
 * long series, a number of points. If several days begin, the first label of each is its date.
 */
function toTimeTicks(times: readonly number[]): Ticks {
  const last = times.length - 1;
  const interval = Math.max(1, Math.round((times[last]! - times[0]!) / Math.max(last, 1)));
  /** Whether a point is the first one since a multiple of the step. */
  const starts = (place: number, step: number) =>
    Math.floor(times[place]! / step) > Math.floor((times[place - 1] ?? times[0]! - interval) / step);
  const toPlaces = (step: number) => times.flatMap((_, place) => (starts(place, step) ? [place] : []));
  // Steps of a few points are even only if they are whole numbers of points.
  const isEven = (step: number) => step % interval === 0 || step > 10 * interval;
  const step =
    timeSteps.find((each) => isEven(each) && toPlaces(each).length <= mostTimeTicks) ??
    interval * Math.ceil(times.length / mostTimeTicks);
  const places = toPlaces(step);
  const hasDays = places.filter((place) => starts(place, day)).length > 1;
  const toText = (place: number) => {
    const iso = formatIso(times[place]!);
    if (step > longestDated) return iso.slice(0, 7);
    const isDate = step >= day || (hasDays && starts(place, day));
    return isDate ? iso.slice(5, 10) : iso.slice(11, step < minute ? 19 : 16);
  };
  return { head: "UTC", texts: places.map(toText), places };
}

const mostBlockTicks = 5;

/** The multiples of the smallest step of 1, 2 or 5 times a power of ten that are few enough. */
function toBlockTicks(blocks: number[]): Ticks {
  const toPlaces = (step: number) => blocks.flatMap((block, place) => (block % step === 0 ? [place] : []));
  let places = toPlaces(1);
  for (let power = 1; places.length > mostBlockTicks; power *= 10) {
    places = [1, 2, 5].map((lead) => toPlaces(lead * power)).find(({ length }) => length <= mostBlockTicks) ?? places;
  }
  return { head: "Block", texts: places.map((place) => String(blocks[place])), places };
}

/** `x` is the bar's center, and `y` its top. */
export type Bar = { x: number; y: number };

/**
 * More bars than this would be so narrow on a phone that they look like one shape. A longer series has groups of points,
 * at least as many as `fewestBars` minus one.
 */
export const mostBars = 60;
const fewestBars = 50;

/** The maximum width of a bar, as a percentage of the chart's width. */
export const toBarShare = (count: number) => 80 / count;

/** The top of the bar for a value above zero. A bar that would be too low to see is made half a unit high. */
const toTop = (value: number, scale: Scale) => round(Math.min(toY(value, scale), height - 0.5));

/** Returns bars for the values above zero. */
export function toBars(points: ChartPoint[], scale: Scale): Bar[] {
  return points.flatMap(({ value }, index) =>
    value === null || value <= 0 ? [] : [{ x: round(toX(index, points.length)), y: toTop(value, scale) }],
  );
}

/** Adjacent points that share a bar: those from the index `from` to before `to`. */
export type Group = { from: number; to: number; max: number; average: number };

/**
 * Groups the points of a long series, as many to each full group as `size` says. A point stays in its group while newer
 * ones arrive, so the first and the last group have up to half a group more or less. Points without a value don't count.
 * `seconds` is the time of a full group.
 */
export function toGroups(points: readonly ChartPoint[]): { size: number; seconds: number; groups: Group[] } {
  const size = Math.ceil(points.length / fewestBars);
  const [first, last] = [points[0], points.at(-1)];
  const stepSeconds = Math.max(1, Math.round(((last?.at ?? 0) - (first?.at ?? 0)) / Math.max(points.length - 1, 1)));
  const places = points.map(({ block, at }) => Math.floor((block ?? Math.round(at / stepSeconds)) / size));
  const isWide = (count: number) => count >= size / 2;
  const starts = points.flatMap((_, at) =>
    at === 0 || (places[at] !== places[at - 1] && isWide(at) && isWide(points.length - at)) ? [at] : [],
  );
  const groups = starts.map((from, index) => {
    const to = starts[index + 1] ?? points.length;
    const values = points.slice(from, to).flatMap(({ value }) => (value === null ? [] : [value]));
    const total = values.reduce((sum, value) => sum + value, 0);
    return { from, to, max: Math.max(0, ...values), average: total / Math.max(values.length, 1) };
  });
  return { size, seconds: size * stepSeconds, groups };
}

/** A rectangle for each group whose value is above zero, all equally wide, with gaps between them. */
export function toGroupPath(groups: readonly Group[], read: "max" | "average", scale: Scale): string {
  return groups
    .map((group, index) => {
      const [left, right] = [index + 0.1, index + 0.9].map((edge) => round((edge / groups.length) * width));
      return group[read] > 0 ? `M${left} ${height}V${toTop(group[read], scale)}H${right}V${height}z` : "";
    })
    .join("");
}

type Span = Pick<Group, "from" | "to">;

/** The x of a point within its group. All groups are equally wide, however many points they have. */
export function toGroupedX(at: number, groups: readonly Span[]): number {
  const index = groups.findLastIndex(({ from }) => from <= at);
  const { from, to } = groups[index]!;
  return ((index + (at - from + 0.5) / (to - from)) / groups.length) * width;
}

/** The inverse of `toGroupedX`: the point at a share of the chart's width. */
export function toGroupedPoint(share: number, groups: readonly Span[]): number {
  const place = share * groups.length;
  const index = Math.min(Math.max(Math.floor(place), 0), groups.length - 1);
  const { from, to } = groups[index]!;
  return Math.min(Math.max(from + Math.floor((place - index) * (to - from)), from), to - 1);
}
