/** One decimal below 10 ms. */
export const formatMs = (value: number) =>
  value > 0 && value < 0.1 ? "< 0.1 ms" : `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ms`;
