/**
 * One clock for every age on the page: a single timer, running only while something shows an age and the page is seen.
 */
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  if (document.hidden) return;
  now = Math.floor(Date.now() / 1000);
  for (const listener of listeners) listener();
}

export function subscribeClock(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Math.floor(Date.now() / 1000);
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Seconds since the epoch at the last tick. */
export function findNow(): number {
  if (now === 0) now = Math.floor(Date.now() / 1000);
  return now;
}
