export const spanUnits = [
  { seconds: 86_400, name: "d" },
  { seconds: 3600, name: "h" },
  { seconds: 60, name: "min" },
  { seconds: 1, name: "s" },
];

/** Formats a time span, given in seconds, in its largest unit and the one below it: "2 h 5 min", "3 d", "45 s". */
export function formatSpan(seconds: number): string {
  let left = Math.floor(seconds);
  const counts = spanUnits.map(({ seconds: size, name }) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { count, text: `${count} ${name}` };
  });
  const largest = counts.findIndex(({ count }) => count > 0);
  if (largest < 0) return "0 s";
  const shown = counts.slice(largest, largest + 2).filter(({ count }) => count > 0);
  return shown.map(({ text }) => text).join(" ");
}
