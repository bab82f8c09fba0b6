/**
 * The lowest and the highest value of a series, and their average or sum, in one line, with the unit only
 * at its end.
 */

type Format = (value: number) => string;

type Props = { values: number[]; format: Format; withUnit: Format; isSum: boolean };

export function ChartSummary({ values, format, withUnit, isSum }: Props) {
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <span>
      {/* The lowest count of a few is nearly always zero. */}
      {!isSum && `min ${format(Math.min(...values))} · `}
      max {format(Math.max(...values))} ·{" "}
      {isSum ? `total ${withUnit(total)}` : `avg ${withUnit(toRounded(total / values.length))}`}
    </span>
  );
}

function toRounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toFixed(2)) || Number(value.toPrecision(2));
}
