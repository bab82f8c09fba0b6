/**
 * Folders for temporary data. They are deleted after use or when the process ends. If a process is killed, its folders
 * are deleted by the next process on the machine.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

export type TemporaryFolder = { path: string; remove(): void };

const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/**
 * The prefix of every folder's name. It includes the host name, because containers may share a folder and have the same
 * process IDs.
 */
const machine = `tollscan-${hostname().replace(/[^\w.]/g, "_")}`;
const kept = new Set<string>();

/** Returns the path of a new folder, which doesn't exist until something is written to it. */
export function createTemporaryFolder(): TemporaryFolder {
  const path = join(tmpdir(), `${machine}-${process.pid}-${randomBytes(6).toString("hex")}`);
  if (kept.size === 0) {
    removeLeftFolders();
    process.on("exit", removeAll);
    if (isMainThread) for (const signal of endSignals) process.on(signal, endBySignal);
  }
  kept.add(path);
  return {
    path,
    remove() {
      remove(path);
      if (kept.delete(path) && kept.size === 0) stopWatching();
    },
  };
}

function stopWatching(): void {
  process.off("exit", removeAll);
  for (const signal of endSignals) process.off(signal, endBySignal);
}

/** Ends the process on a signal, unless another listener handles the signal. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  stopWatching();
  process.kill(process.pid, signal);
}

function removeAll(): void {
  for (const path of kept) remove(path);
}

/** Deletes a folder. Retries, because worker threads may still be writing to it when the process ends. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 10 });
  } catch {
    // On Windows, open files can't be deleted. The next process deletes them.
  }
}

function removeLeftFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] =
      /^(\d+)-[0-9a-f]{12}$/.exec(name.startsWith(`${machine}-`) ? name.slice(machine.length + 1) : "") ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(tmpdir(), name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
