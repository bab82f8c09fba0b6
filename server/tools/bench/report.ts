/**
 * What benchmarks have in common once they have measured: medians, figures as text, and their section of
 * BENCHMARKS.md. Invariant: a section is replaced whole and the others stay as they are.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

const file = join(import.meta.dirname, "../../../BENCHMARKS.md");

/** NaN where there are no figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

export const toText = (value: number) => (value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(1));

/** A Markdown table. */
export function toMarkdown(rows: readonly string[][]): string {
  const [head = [], ...rest] = rows;
  return [head, head.map(() => "---"), ...rest].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The date and the machine, as every section names them. */
export function describeRun(): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`;
  return `${new Date().toISOString().slice(0, 10)}, ${machine}`;
}

/** Puts the text under the heading, in place of what stood there. */
export function writeSection(heading: string, text: string): void {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "# Benchmarks\n\nRatios matter, not the figures.\n";
  const section = `## ${heading}\n\n${text.trim()}\n`;
  const old = new RegExp(`## ${heading}\\n[\\s\\S]*?(?=\\n## |$)`);
  const after = old.test(before) ? before.replace(old, () => section) : `${before.trimEnd()}\n\n${section}`;
  writeFileSync(file, after);
}
