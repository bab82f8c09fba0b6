/**
 * Returns unused memory to the system when the process becomes idle. V8 keeps the pages that an ordinary collection
 * frees, so without this, the process would stay as large as it was at its busiest. In Node 24, that also holds for the
 * memory that startup needs.
 */
import { Session } from "node:inspector/promises";

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
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

/** Releases memory the first time the process is idle, and then whenever it is idle after more work. */
export function releaseMemoryWhenIdle(checkMs = defaultCheckMs): void {
  let checkedAt = toProcessorMs();
  let releasedAt = Number.NEGATIVE_INFINITY;
  const check = async () => {
    const now = toProcessorMs();
    const isIdle = now - checkedAt <= idleShare * checkMs;
    if (isIdle && now - releasedAt > workMs) {
      await release();
      releasedAt = toProcessorMs();
    }
    checkedAt = toProcessorMs();
  };
  setInterval(() => void check(), checkMs).unref();
}
