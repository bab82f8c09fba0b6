/**
 * The memory of a process and all its descendants, in bytes: the anonymous pages of each, and the pages of files, which
 * they share, once. Reads Linux's /proc; undefined on other systems.
 */
import { readdirSync, readFileSync } from "node:fs";

const fileOf = (pid: number, name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");

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

export function readTreeMemory(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const pages = listTree(pid).map(readPages);
  return pages.reduce((sum, { anonymous }) => sum + anonymous, 0) + Math.max(...pages.map(({ files }) => files));
}
