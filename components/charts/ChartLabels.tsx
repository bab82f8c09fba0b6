/**
 * The labels below a chart's points. Each is centered below its point, where a short line is. The first and the last may
 * extend a little beyond the plot.
 */
import { type ChartPoint, toTicks } from "@/components/charts/scale";

/** Charts narrower than this show every other label. Long labels need more room. */
const narrowClass = { short: "@max-[18rem]:hidden", long: "@max-[34rem]:hidden" };
/** A colon is about half as wide as a digit. */
const toWidth = (text: string) => text.length - (text.split(":").length - 1) / 2;
const longestShort = 5;
/** As many short labels fit on a phone. */
const mostShort = 4;

export function ChartLabels({ points }: { points: ChartPoint[] }) {
  const { head, texts, places } = toTicks(points);
  const centers = places.map((place) => ((place + 0.5) / points.length) * 100);
  const isShort = texts.every((text) => text.length <= longestShort);
  const toClass = (place: number) =>
    place % 2 === 0 || (isShort && texts.length <= mostShort) ? "" : narrowClass[isShort ? "short" : "long"];
  return (
    <>
      <span className="my-1.5 pr-2 leading-5" aria-hidden>
        {head}
      </span>
      <div className="relative my-1.5 h-5 leading-5" aria-hidden>
        <p className="contents">
          {centers.map((center, place) => (
            <span
              key={center}
              className={`absolute -top-1.5 h-1 border-edge border-l ${toClass(place)}`}
              style={{ left: `${center}%` }}
            />
          ))}
        </p>
        <p className="contents">
          {texts.map((text, place) => (
            <span
              key={text}
              className={`absolute whitespace-nowrap text-center ${toClass(place)}`}
              style={{
                width: `${toWidth(text)}ch`,
                left: `clamp(-0.5rem, ${centers[place]}% - ${toWidth(text) / 2}ch, 100% + 0.5rem - ${toWidth(text)}ch)`,
              }}
            >
              {text}
            </span>
          ))}
        </p>
      </div>
    </>
  );
}
