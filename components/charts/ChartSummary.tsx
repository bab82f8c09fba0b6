/** The lowest, the highest and the average value of a series, in one line. */

type Format = (value: number) => string;

export function ChartSummary({ values, format, withUnit }: { values: number[]; format: Format; withUnit: Format }) {
  const average = values.reduce((total, value) => total + value, 0) / values.length;
  const rounded = average >= 100 ? Math.round(average) : Number(average.toFixed(2)) || Number(average.toPrecision(2));
  return (
    <span>
      min <Measured value={Math.min(...values)} format={format} withUnit={withUnit} /> · max{" "}
      <Measured value={Math.max(...values)} format={format} withUnit={withUnit} /> · avg {withUnit(rounded)}
    </span>
  );
}

/** A unit that is a word needs much space: on a narrow chart, only the last value has it. */
function Measured({ value, format, withUnit }: { value: number; format: Format; withUnit: Format }) {
  const [number, unit] = [format(value), withUnit(value).slice(format(value).length)];
  return (
    <>
      {number}
      <span className={unit.startsWith(" ") ? "@max-[24rem]:hidden" : ""}>{unit}</span>
    </>
  );
}
