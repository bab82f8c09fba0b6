/** The lowest, the highest and the average value of a series, in one line. A unit that is a word is only at its end. */

type Format = (value: number) => string;

export function ChartSummary({ values, format, withUnit }: { values: number[]; format: Format; withUnit: Format }) {
  const average = values.reduce((total, value) => total + value, 0) / values.length;
  const rounded = average >= 100 ? Math.round(average) : Number(average.toFixed(2)) || Number(average.toPrecision(2));
  const toText = (value: number) => (withUnit(value).includes(" ") ? format(value) : withUnit(value));
  return (
    <span>
      min {toText(Math.min(...values))} · max {toText(Math.max(...values))} · avg {withUnit(rounded)}
    </span>
  );
}
