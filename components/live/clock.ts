/** One clock for every age on the page. Its timer runs only while an age is shown and the page is visible. */
import { createListeners } from "@/lib/createListeners";

let now: number | undefined;
let first: ReturnType<typeof setTimeout> | undefined;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = createListeners();

function read(): void {
  now = Math.floor(Date.now() / 1000);
}

function announce(): void {
  read();
  listeners.announce();
}

function tick(): void {
  if (!document.hidden) announce();
}

export function subscribeClock(listener: () => void): () => void {
  const remove = listeners.add(listener);
  if (timer === undefined) {
    // The clock's first value is announced in a separate task, because a change during hydration would render every age
    // again in the same task.
    if (now === undefined) first = setTimeout(announce);
    else read();
    timer = setInterval(tick, 1000);
  }
  return () => {
    remove();
    if (listeners.count() > 0) return;
    clearTimeout(first);
    clearInterval(timer);
    timer = undefined;
  };
}

/** Seconds since the epoch at the last tick. Undefined before the first tick. */
export function findNow(): number | undefined {
  return now;
}
