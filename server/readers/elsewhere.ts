/**
 * Stand-ins for what only the main process has. Invariant: whatever is asked of one, ElsewhereError is thrown, so that a
 * handler that needs it is run there and none answers from less.
 */
import { ElsewhereError } from "@/server/chain/errors";

/** In place of a function. */
export function askElsewhere(): never {
  throw new ElsewhereError();
}

/** In place of an object, of which any member is refused. */
export function createElsewhere<T extends object>(): T {
  return new Proxy({} as T, { get: askElsewhere });
}
