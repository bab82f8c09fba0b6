/**
 * Returns unused memory to the system when the process becomes idle. V8 keeps the pages that an ordinary collection
 * frees, so without this, the process would stay as large as it was at its busiest. In Node 24, that also holds for the
 * memory that startup needs.
 */
import { setInterval } from "node:timers/promises";

const defaultCheckMs = 5_000;
/** The process is idle if it used at most this share of a core since the last check. */
const idleShare = 0.02;
/** How much CPU time the process must use before memory is released again. A release takes about 100 ms itself. */
const workMs = 2_000;

function toProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Collects garbage as V8 does when memory is low, which is the only collection that returns pages. */
async function release(): Promise<void> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

async function watch(checkMs: number): Promise<void> {
  let checkedAt = toProcessorMs();
  let releasedAt = Number.NEGATIVE_INFINITY;
  for await (const _ of setInterval(checkMs, undefined, { ref: false })) {
    const now = toProcessorMs();
    if (now - checkedAt <= idleShare * checkMs && now - releasedAt > workMs) {
      await release();
      releasedAt = toProcessorMs();
    }
    checkedAt = toProcessorMs();
  }
}

/**
 * Releases memory the first time the process is idle, and then whenever it is idle after more work. Does nothing on
 * builds of Node without the inspector.
 */
export function releaseMemoryWhenIdle(checkMs = defaultCheckMs): void {
  watch(checkMs).catch(() => undefined);
}
