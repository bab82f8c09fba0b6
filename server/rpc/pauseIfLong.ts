/**
 * Keeps long work in this thread from delaying everything else. Work that awaits only what is already there (a batch
 * over SQLite) never lets the event loop turn, so it asks here now and then.
 */

/** Work of one turn of the event loop. */
const turnMs = 10;

let startedAtMs: number | undefined;
let nextTurn: Promise<void> | undefined;

/** undefined if this turn has time left; otherwise resolves in a later one that has. */
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
  // Whoever resumed first may have used up the new turn.
  await pauseIfLong();
}
