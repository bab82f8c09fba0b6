/**
 * Keeps long work in this thread from delaying everything else. Work that only awaits values that are already available
 * (such as a batch over SQLite) never lets the event loop turn, so it must call this function now and then.
 */

/** How long work may run in one turn of the event loop. */
const turnMs = 10;

let startedAtMs: number | undefined;
let nextTurn: Promise<void> | undefined;

/** Returns undefined if this turn has time left. Otherwise, resolves in a later turn that has time left. */
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
  // Other work may have resumed first and used up the new turn.
  await pauseIfLong();
}
