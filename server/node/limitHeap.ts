/**
 * Makes V8 collect garbage sooner, so that its heaps stay close to the size of the live objects. A limit on the heap's
 * size would do the same, but would end the process when a request needs more.
 */
import { setFlagsFromString } from "node:v8";

/**
 * How much a heap may grow between two full collections, in percent of its live objects. V8's default is up to 300
 * percent.
 */
const growthPercent = 50;

/** Affects every thread of the process. */
export function limitHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
