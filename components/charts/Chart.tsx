"use client";
/**
 * A chart of one series over blocks or time: lines or bars, a summary sentence, and the values as a table. All charts
 * on a page share one crosshair. Screen readers get the sentence and the table.
 */
import { type PointerEvent, useId } from "react";
import { type ChartPoint, toBarShare, toBars, toLinePath, toScale, toTicks } from "@/components/charts/scale";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";

const tableRows = 100;

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
}) {
  const id = useId();
  const known = points.filter((point) => point.value !== null).length;
  const scale = toScale(points);
  const shown = at === undefined ? points.at(-1) : points[at];
  const withUnit = (value: number) => `${format(value)}${unit.startsWith("%") ? "" : " "}${unit}`.trimEnd();

  function follow(event: PointerEvent<SVGSVGElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * points.length);
    onAt(Math.min(Math.max(place, 0), points.length - 1));
  }

  return (
    <Sheet
      id={id}
      title={title}
      aside={
        shown &&
        shown.value !== null && (
          <span className="text-13 text-ink-2">
            <span className="@max-[15rem]:hidden">{shown.label}: </span>
            {withUnit(shown.value)}
          </span>
        )
      }
    >
      {known < 2 ? (
        <Empty title={known === 0 ? "No data yet" : "Needs at least two data points"} />
      ) : (
        <>
          <div className="@container grid grid-cols-[minmax(3rem,auto)_minmax(0,1fr)] gap-x-2 px-4 pt-5 text-12 text-ink-3 tabular-nums">
            {/* Each label is centered on its line. */}
            <p aria-hidden className="-my-2 flex flex-col justify-between text-right leading-4">
              {[scale.max, scale.max / 2, 0].map((value) => (
                <span key={value}>{unit === "%" ? withUnit(value) : format(value)}</span>
              ))}
            </p>
            <svg
              aria-hidden
              focusable="false"
              viewBox="0 0 1000 100"
              preserveAspectRatio="none"
              className={`@container block h-28 w-full ${isTall ? "lg:h-40 2xl:h-56" : ""} overflow-visible *:[vector-effect:non-scaling-stroke]`}
              onPointerMove={follow}
              onPointerLeave={() => onAt(undefined)}
            >
              {[0, 50, 100].map((y) => (
                <line key={y} className="stroke-line" x1="0" x2="1000" y1={y} y2={y} />
              ))}
              {kind === "line" ? (
                <path
                  className="fill-none stroke-[1.5] stroke-code [stroke-linejoin:round]"
                  d={toLinePath(points, scale)}
                />
              ) : (
                toBars(points, scale).map(({ x, y }) => (
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
                ))
              )}
              {at !== undefined && (
                <line
                  className="stroke-ink-2 [stroke-dasharray:2_2]"
                  x1={((at + 0.5) / points.length) * 1000}
                  x2={((at + 0.5) / points.length) * 1000}
                  y1="0"
                  y2="100"
                />
              )}
            </svg>
            <Labels points={points} />
          </div>
          <details className="border-line border-t">
            <summary className="flex cursor-pointer flex-wrap justify-between gap-x-4 px-4 py-2 text-13 text-ink-2">
              <span className="@max-[15rem]:sr-only">{toSummary(points, format, withUnit)}</span>
              <span className="text-accent underline-offset-3 hover:underline">As a table</span>
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

/** The labels below the points. */
function Labels({ points }: { points: ChartPoint[] }) {
  const ticks = toTicks(points);
  return (
    <>
      <span className="my-1.5 text-right leading-5" aria-hidden>
        {ticks.areTimes && "UTC"}
      </span>
      <p className="relative my-1.5 h-5 leading-5" aria-hidden>
        {ticks.texts.map((text, place) => {
          const center = ((ticks.places[place]! + 0.5) / points.length) * 100;
          return (
            <span
              key={text}
              // Narrow charts have room for the first label, the one in the middle and the last; the narrowest only for
              // the first and the last.
              className={`absolute whitespace-nowrap text-center first:text-left last:text-right not-first:not-last:@max-[20rem]:hidden ${2 * place + 1 === ticks.texts.length ? "" : "not-first:not-last:@max-[34rem]:hidden"}`}
              // Below its point, but within the plot.
              style={{
                width: `${text.length}ch`,
                left: `clamp(0%, ${center}% - ${text.length / 2}ch, 100% - ${text.length}ch)`,
              }}
            >
              {text}
            </span>
          );
        })}
      </p>
    </>
  );
}

type Format = (value: number) => string;

function toSummary(points: ChartPoint[], format: Format, withUnit: Format): string {
  const values = points.flatMap((point) => (point.value === null ? [] : [point.value]));
  const average = values.reduce((total, value) => total + value, 0) / values.length;
  return [
    `min ${format(Math.min(...values))}`,
    `max ${format(Math.max(...values))}`,
    `avg ${withUnit(average >= 100 ? Math.round(average) : Number(average.toFixed(2)) || Number(average.toPrecision(2)))}`,
  ].join(" · ");
}
