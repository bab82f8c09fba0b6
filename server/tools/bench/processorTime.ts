/**
 * CPU time of the processes that a benchmark started, which a busy machine distorts less than wall-clock time. Linux
 * only; NaN elsewhere.
 */
import { readdirSync, readFileSync } from "node:fs";

/** A tick of the kernel's CPU accounting, the same on every architecture that Node runs on. */
const tickMs = 10;

/** User and system time in milliseconds of all running descendants of this process, all threads included. */
export function readProcessorMs(): number {
  try {
    return listChildren(process.pid).reduce((sum, pid) => sum + readTreeMs(pid), 0);
  } catch {
    return Number.NaN;
  }
}

function readTreeMs(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Fields 14 and 15, counted from after the name, which may contain spaces.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const own = (Number(fields[11]) + Number(fields[12])) * tickMs;
  return listChildren(pid).reduce((sum, child) => sum + readTreeMs(child), own);
}

/** Each thread lists the processes it started. */
function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
}
