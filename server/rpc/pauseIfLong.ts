/**
 * Keeps long work from blocking this thread. Awaiting values that are already available, such as rows from SQLite,
 * doesn't let other work run. Long loops therefore call this function.
 */

/** How long work may run in one turn of the event loop. */
const turnMs = 10;

let startedAtMs: number | undefined;
let nextTurn: Promise<void> | undefined;

/** If time is left in this turn, returns undefined. Otherwise, returns a promise that resolves in a later turn. */
export function pauseIfLong(): Promise<void> | undefined {
  if (startedAtMs === undefined) {
    startedAtMs = performance.now();
    setImmediate(endTurn);
    return undefined;
  }
  return performance.now() - startedAtMs < turnMs ? undefined : pause();
}

function endTurn(): void {
  startedAtMs = undefined;
}

async function pause(): Promise<void> {
  nextTurn ??= new Promise((resolve) =>
    setImmediate(() => {
      nextTurn = undefined;
      resolve();
    }),
  );
  await nextTurn;
  // In the next turn, other work may have run first and used up the time.
  await pauseIfLong();
}
