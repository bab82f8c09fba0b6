"use client";
/**
 * A chart of one series over blocks or time: lines or bars, a summary sentence, and the values as a table. All charts
 * on a page share one crosshair. Screen readers get the sentence and the table.
 */
import { type PointerEvent, useId } from "react";
import { ChartLabels } from "@/components/charts/ChartLabels";
import { ChartSummary } from "@/components/charts/ChartSummary";
import {
  type ChartPoint,
  type Group,
  mostBars,
  type Scale,
  toBarShare,
  toBars,
  toDotPath,
  toGroupedPoint,
  toGroupedX,
  toGroupPath,
  toGroups,
  toLevels,
  toLinePath,
  toScale,
} from "@/components/charts/scale";
import { Sheet } from "@/components/layout/Sheet";
import { formatDuration } from "@/lib/formatTime";

const tableRows = 100;

/** The height of a tall chart's plot on wide screens. */
const tallClass = "lg:h-40 2xl:h-56";

const join = (number: string, unit: string) => `${number}${/^[%/]/.test(unit) ? "" : " "}${unit}`.trimEnd();

/** A unit that is longer than this is only in the texts around the plot. */
const longestUnit = 4;

/** A value of the vertical axis: a round number, without the decimals that `format` may add. */
const toLevelText = (value: number, unit: string) =>
  join(value.toLocaleString("en-US", { maximumFractionDigits: 9 }), unit.length > longestUnit ? "" : unit);

export function Chart({
  title,
  unit,
  kind,
  points,
  format,
  at,
  onAt,
  head,
  isTall = false,
  isSum = false,
  latest = "Latest",
  gaps,
  note,
}: {
  title: string;
  /** The unit of the values. Empty if the title already names it. */
  unit: string;
  kind: "line" | "bars";
  points: ChartPoint[];
  format: (value: number) => string;
  /** Index of the point at the crosshair. */
  at: number | undefined;
  onAt: (index: number | undefined) => void;
  /** The header of the table column that identifies each point. */
  head: string;
  /** Set if the charts are the page's main content. */
  isTall?: boolean;
  /** Set if the sum of the values says more than their average. */
  isSum?: boolean;
  /** What the last point is. */
  latest?: string;
  /** Explains points without a value. */
  gaps?: string;
  /** A few words about the values. */
  note?: string;
}) {
  const id = useId();
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const scale = toScale(points);
  const grouped = kind === "bars" && points.length > mostBars ? toGroups(points) : undefined;
  const levels = toLevels(points, scale, grouped !== undefined);
  const groups = grouped?.groups ?? [{ from: 0, to: points.length }];
  // The latest points may have no value.
  const shown = at === undefined ? points.findLast(({ value }) => value !== null) : points[at];
  const withUnit = (value: number) => join(format(value), unit);
  // Charts whose titles name their units have the same room for the axis, so they align with each other.
  const axisUnit = unit !== "%" && title.includes(unit) ? "" : unit;

  function follow(event: PointerEvent<SVGSVGElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    onAt(toGroupedPoint((event.clientX - box.left) / box.width, groups));
  }

  return (
    <Sheet
      id={id}
      title={title}
      aside={
        shown &&
        shown.value !== null && (
          <span className="text-13 text-ink-2">
            {at === undefined && `${latest} `}
            <span className="font-medium text-ink">{withUnit(shown.value)}</span> · {shown.label}
          </span>
        )
      }
    >
      {values.length < 2 ? (
        <FewPoints text={values[0] === undefined ? undefined : withUnit(values[0])} isTall={isTall} />
      ) : (
        <>
          <div className="@container relative grid grid-cols-[minmax(2rem,auto)_minmax(0,1fr)] gap-x-2 pt-8 pr-6 pl-4 text-12 text-ink-3 tabular-nums sm:grid-cols-[minmax(3rem,auto)_minmax(0,1fr)]">
            {grouped && <GroupLegend span={toGroupSpan(points, grouped)} isExact={isEven(grouped.groups)} />}
            {note && <p className={legendClass}>{note}</p>}
            {gaps && hasBreak(points) && <p className={legendClass}>{gaps}</p>}
            {/* Each label is centered on its line. */}
            <p aria-hidden className="-my-2 flex flex-col justify-between whitespace-nowrap text-right leading-4">
              {levels.map((value, place) => (
                <span key={value}>{toLevelText(value, place === 0 || unit === "%" ? axisUnit : "")}</span>
              ))}
            </p>
            <svg
              aria-hidden
              focusable="false"
              viewBox="0 0 1000 100"
              preserveAspectRatio="none"
              className={`@container block h-28 w-full ${isTall ? tallClass : ""} overflow-visible *:[vector-effect:non-scaling-stroke]`}
              onPointerMove={follow}
              onPointerLeave={() => onAt(undefined)}
            >
              {levels.map((value) => {
                const y = 100 - (100 * value) / scale.max;
                return (
                  <line
                    key={value}
                    className="stroke-line [shape-rendering:crispEdges]"
                    x1="0"
                    x2="1000"
                    y1={y}
                    y2={y}
                  />
                );
              })}
              {kind === "line" ? (
                <>
                  <path
                    className="fill-none stroke-2 stroke-code [stroke-linejoin:round]"
                    d={toLinePath(points, scale)}
                  />
                  <path
                    className="fill-none stroke-[7] stroke-code [stroke-linecap:round]"
                    d={toDotPath(points, scale)}
                  />
                </>
              ) : grouped ? (
                <GroupBars groups={grouped.groups} scale={scale} />
              ) : (
                <Bars points={points} scale={scale} />
              )}
              {at !== undefined && (
                <line
                  className="stroke-ink-2 [stroke-dasharray:2_2]"
                  x1={toGroupedX(at, groups)}
                  x2={toGroupedX(at, groups)}
                  y1="0"
                  y2="100"
                />
              )}
            </svg>
            <ChartLabels points={points} />
          </div>
          <details className="group border-line border-t">
            <summary className="flex cursor-pointer flex-wrap justify-between gap-x-4 px-4 py-2 text-13 text-ink-2">
              <ChartSummary values={values} format={format} withUnit={withUnit} isSum={isSum} />
              <span className="text-accent underline-offset-3 group-open:hidden hover:underline">Show table</span>
              <span className="hidden text-accent underline-offset-3 group-open:inline hover:underline">
                Hide table
              </span>
            </summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
            <section className="max-h-72 overflow-auto" tabIndex={0} aria-label={title}>
              <table className="w-full text-13">
                <caption className="sr-only">{title}</caption>
                <thead>
                  <tr className="text-left text-ink-3">
                    <th scope="col" className="px-4 py-1 font-medium">
                      {head}
                    </th>
                    <th scope="col" className="px-4 py-1 text-right font-medium">
                      {unit || title}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {points
                    .slice(-tableRows)
                    .reverse()
                    .map((point) => (
                      <tr key={point.label}>
                        <td className="px-4 py-0.5">{point.label}</td>
                        <td className="px-4 py-0.5 text-right">{point.value === null ? "" : format(point.value)}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </section>
          </details>
        </>
      )}
    </Sheet>
  );
}

function Bars({ points, scale }: { points: ChartPoint[]; scale: Scale }) {
  return toBars(points, scale).map(({ x, y }) => (
    // A bar is a thick line, because the width of a rectangle would be stretched with the chart.
    <line
      key={x}
      className="stroke-code [shape-rendering:crispEdges]"
      style={{ strokeWidth: `min(1.5rem, ${toBarShare(points.length)}cqw)` }}
      x1={x}
      x2={x}
      y1={y}
      y2="100"
    />
  ));
}

function GroupBars({ groups, scale }: { groups: readonly Group[]; scale: Scale }) {
  return (
    <>
      <path className="fill-code/40" d={toGroupPath(groups, "max", scale)} />
      <path className="fill-code" d={toGroupPath(groups, "average", scale)} />
    </>
  );
}

/** Whether there are points without a value between points that have one. */
function hasBreak(points: ChartPoint[]): boolean {
  const hasValue = ({ value }: ChartPoint) => value !== null;
  return !points.slice(points.findIndex(hasValue), points.findLastIndex(hasValue) + 1).every(hasValue);
}

/** In the space above the plot. */
const legendClass = "absolute top-1.5 right-4 leading-5";

/** What a full group covers: blocks or, if the points are not blocks, time. */
const toGroupSpan = (points: ChartPoint[], { size, seconds }: { size: number; seconds: number }) =>
  points[0]?.block === undefined ? formatDuration(seconds) : `${size} blocks`;

/** Whether all groups have equally many values. The first and the last may have a few more or fewer. */
const isEven = (groups: readonly Pick<Group, "from" | "to">[]) =>
  new Set(groups.map(({ from, to }) => to - from)).size === 1;

/** Says what the tones of grouped bars are. */
function GroupLegend({ span, isExact }: { span: string; isExact: boolean }) {
  const swatch = "mr-1.5 inline-block size-2 rounded-[1px]";
  return (
    <p className={legendClass}>
      Per {isExact ? "" : "~"}
      {span}:
      <span className={`${swatch} ml-2 bg-code`} />
      average
      <span className={`${swatch} ml-3 bg-code/40`} />
      maximum
    </p>
  );
}

/** In place of a chart that has no line to draw yet: the value, in a box as high as a chart or, on phones, lower. */
function FewPoints({ text, isTall }: { text: string | undefined; isTall: boolean }) {
  return (
    <div className="px-4 py-6 text-center sm:py-12.5">
      <div className={`flex flex-col justify-center gap-1 sm:h-28 ${isTall ? tallClass : ""}`}>
        {text !== undefined && <p className="font-medium text-28">{text}</p>}
        <p className="text-13 text-ink-2">
          {text === undefined ? "No data yet" : "The chart starts with the second value."}
        </p>
      </div>
    </div>
  );
}
