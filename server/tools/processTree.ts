/**
 * Reads the memory and CPU time of a process and all its descendants from Linux's /proc. Returns undefined on other
 * systems.
 */
import { readdirSync, readFileSync } from "node:fs";

/** The length of a tick in the kernel's CPU accounting. It's the same on every architecture that Node runs on. */
const tickMs = 10;

const fileOf = (pid: number, name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");

/** In /proc, children are listed per thread: each thread lists the children that it started. */
function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    fileOf(pid, `task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

const listTree = (pid: number): number[] => [pid, ...listChildren(pid).flatMap(listTree)];

function readPages(pid: number): { anonymous: number; files: number } {
  const rollup = fileOf(pid, "smaps_rollup");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]) * 1024;
  const anonymous = read("Anonymous");
  return { anonymous, files: read("Rss") - anonymous };
}

/**
 * Returns the memory in bytes. Adds up every process's anonymous pages, but counts the file pages only once, because
 * processes share them.
 */
export function readTreeMemory(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const pages = listTree(pid).map(readPages);
  return pages.reduce((sum, { anonymous }) => sum + anonymous, 0) + Math.max(...pages.map(({ files }) => files));
}

/**
 * Returns the user and system time of all threads, in milliseconds. On a busy machine, this is more reliable than the
 * clock.
 */
export function readTreeProcessorMs(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  return listTree(pid).reduce((sum, each) => sum + readProcessorMs(each), 0);
}

/** Like `readTreeProcessorMs`, but only for the process's descendants. */
export function readChildrenProcessorMs(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  return listTree(pid)
    .slice(1)
    .reduce((sum, each) => sum + readProcessorMs(each), 0);
}

function readProcessorMs(pid: number): number {
  const line = fileOf(pid, "stat");
  // Reads fields 14 and 15. Fields are counted from the end of the program's name, because the name may contain spaces.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
