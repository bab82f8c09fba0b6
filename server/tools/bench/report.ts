/**
 * Functions that benchmarks use for their reports: they compute medians, format numbers, and write sections of
 * BENCHMARKS.md.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

const file = join(import.meta.dirname, "../../../BENCHMARKS.md");

/** Returns the median, or NaN for an empty list. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

export const toText = (value: number) => (value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(1));

/** Builds a Markdown table. The first row is the header. */
export function toMarkdown(rows: readonly string[][]): string {
  const [head = [], ...rest] = rows;
  return [head, head.map(() => "---"), ...rest].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Describes the date and the machine, for the top of every section. */
export function describeRun(): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`;
  return `${new Date().toISOString().slice(0, 10)}, ${machine}`;
}

/** Writes a section of BENCHMARKS.md. If there is a section with this heading, replaces it. */
export function writeSection(heading: string, text: string): void {
  const before = existsSync(file)
    ? readFileSync(file, "utf8")
    : "# Benchmarks\n\nCompare ratios. Absolute figures depend on the machine.\n";
  const section = `## ${heading}\n\n${text.trim()}\n`;
  const old = new RegExp(`## ${heading}\\n[\\s\\S]*?(?=\\n## |$)`);
  const after = old.test(before) ? before.replace(old, () => section) : `${before.trimEnd()}\n\n${section}`;
  writeFileSync(file, after);
}
