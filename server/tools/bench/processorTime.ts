/**
 * What the processes that a benchmark started take of the processor, which a busy machine falsifies less than what its
 * clock says. Linux alone; NaN elsewhere.
 */
import { readdirSync, readFileSync } from "node:fs";

/** A tick of the kernel's accounts, the same on every architecture that Node runs on. */
const tickMs = 10;

/** Milliseconds in user and system mode of all processes below this one that still run, all their threads. */
export function readProcessorMs(): number {
  try {
    return listChildren(process.pid).reduce((sum, pid) => sum + readTreeMs(pid), 0);
  } catch {
    return Number.NaN;
  }
}

function readTreeMs(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Fields 14 and 15, counted behind the name, which may have blanks.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const own = (Number(fields[11]) + Number(fields[12])) * tickMs;
  return listChildren(pid).reduce((sum, child) => sum + readTreeMs(child), own);
}

/** Each thread has a list of the processes that it started. */
function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
}
