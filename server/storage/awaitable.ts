/**
 * Steps over values that are either there or promised. One query body serves both kinds of driver: with SQLite it
 * runs to its end without ever leaving the stack, with Postgres it awaits. No promise is made where none came in.
 */
import type { Awaitable } from "@/server/storage/port";

/** next(value), at once where the value is there, later where it is promised. */
export function andThen<A, B>(value: Awaitable<A>, next: (value: A) => Awaitable<B>): Awaitable<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A body of several steps; each step is taken with `yield* step(value)`. */
export type Steps<T> = Generator<Awaitable<unknown>, T, unknown>;

/** Waits for one value inside a body that flow() runs. */
export function* step<T>(value: Awaitable<T>): Generator<Awaitable<unknown>, T, unknown> {
  return (yield value) as T;
}

/** Runs a body to its end: synchronously until the first promise, and a promise from there on. */
export function flow<T>(body: () => Steps<T>): Awaitable<T> {
  const steps = body();
  let result = steps.next();
  while (!result.done) {
    const value = result.value;
    if (value instanceof Promise) return resume(steps, value);
    result = steps.next(value);
  }
  return result.value;
}

async function resume<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  let pending: unknown = first;
  for (;;) {
    const outcome = await settle(pending);
    // A rejection is thrown at the step that waits for it, so that the body may catch it.
    const result = outcome.failed ? steps.throw(outcome.cause) : steps.next(outcome.value);
    if (result.done) return result.value;
    pending = result.value;
  }
}

async function settle(pending: unknown): Promise<{ failed: false; value: unknown } | { failed: true; cause: unknown }> {
  try {
    return { failed: false, value: await pending };
  } catch (cause) {
    return { failed: true, cause };
  }
}
