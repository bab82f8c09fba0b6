/** Always with one decimal, so that a column's points align. */
export const formatMs = (value: number) =>
  value > 0 && value < 0.1
    ? "< 0.1 ms"
    : `${value.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} ms`;
