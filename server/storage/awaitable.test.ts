/** Steps over values and promises give the same answer, and only promises make them asynchronous. */
import { describe, expect, it } from "vitest";
import { andThen, flow, type Steps, step } from "@/server/storage/awaitable";
import type { Awaitable } from "@/server/storage/port";

function sum(parts: Awaitable<number>[]): Awaitable<number> {
  return flow(function* (): Steps<number> {
    let total = 0;
    for (const part of parts) total += yield* step(part);
    return total;
  });
}

describe("flow", () => {
  it("answers directly where every step does", () => {
    expect(sum([])).toBe(0);
    expect(sum([1, 2, 3])).toBe(6);
    expect(andThen(1, (value) => value + 1)).toBe(2);
  });

  it("waits where a step is promised, wherever it stands", async () => {
    for (const parts of [
      [Promise.resolve(1), 2, 3],
      [1, Promise.resolve(2), 3],
      [1, 2, Promise.resolve(3)],
    ]) {
      const result = sum(parts);
      expect(result).toBeInstanceOf(Promise);
      expect(await result).toBe(6);
    }
    expect(await andThen(Promise.resolve(1), (value) => value + 1)).toBe(2);
  });

  it("throws a rejection at the step that waits for it, where the body may catch it", async () => {
    const caught = flow(function* (): Steps<string> {
      try {
        return yield* step<string>(Promise.reject(new Error("first")));
      } catch (cause) {
        return `${(cause as Error).message}, ${yield* step(Promise.resolve("then on"))}`;
      }
    });
    expect(await caught).toBe("first, then on");
    await expect(sum([1, Promise.reject(new Error("lost"))])).rejects.toThrow("lost");
  });

  it("passes on what the body throws, before and after a promise", async () => {
    const failing = (first: Awaitable<number>) =>
      flow(function* (): Steps<number> {
        yield* step(first);
        throw new Error("body");
      });
    expect(() => failing(1)).toThrow("body");
    await expect(failing(Promise.resolve(1))).rejects.toThrow("body");
  });
});
