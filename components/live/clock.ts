/**
 * One clock for all of the page's ages, such as "5 s ago". Its timer runs only while an age is shown and the page is
 * visible.
 */
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
    // Announces the clock's first value in a separate task. If the value changed during hydration, every age would be
    // rendered a second time in the same task.
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

/** The time at the last tick, in seconds since the epoch. Undefined before the first tick. */
export function findNow(): number | undefined {
  return now;
}
