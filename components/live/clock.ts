/** One clock for every age on the page. Its timer runs only while an age is shown and the page is visible. */
import { createListeners } from "@/lib/createListeners";

let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = createListeners();

function tick(): void {
  if (document.hidden) return;
  now = Math.floor(Date.now() / 1000);
  listeners.announce();
}

export function subscribeClock(listener: () => void): () => void {
  const remove = listeners.add(listener);
  if (timer === undefined) {
    now = Math.floor(Date.now() / 1000);
    timer = setInterval(tick, 1000);
  }
  return () => {
    remove();
    if (listeners.count() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Seconds since the epoch at the last tick. */
export function findNow(): number {
  if (now === 0) now = Math.floor(Date.now() / 1000);
  return now;
}
