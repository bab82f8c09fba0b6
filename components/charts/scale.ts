/**
 * Converts a series to SVG shapes, in a box 1000 wide and 100 high that starts at zero. A point without a value is a
 * gap.
 */

export type ChartPoint = { label: string; value: number | null };
export type Scale = { min: number; max: number };

const width = 1000;
const height = 100;

/** From zero to the largest value; a series of zeros gets a maximum of one. */
export function toScale(points: ChartPoint[]): Scale {
  const max = points.reduce((most, { value }) => (value !== null && value > most ? value : most), 0);
  return { min: 0, max: max > 0 ? max : 1 };
}

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

export type Bar = { x: number; y: number; width: number; height: number };

/** Bars for the values above zero. A bar that would be too low to see is half a unit high. */
export function toBars(points: ChartPoint[], scale: Scale): Bar[] {
  const room = width / points.length;
  return points.flatMap(({ value }, index) => {
    if (value === null || value <= 0) return [];
    const top = Math.min(toY(value, scale), height - 0.5);
    return [
      { x: round(index * room + room * 0.1), y: round(top), width: round(room * 0.8), height: round(height - top) },
    ];
  });
}
