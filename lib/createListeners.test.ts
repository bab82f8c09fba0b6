/** Tests adding and removing listeners, and listeners that throw. */
import { expect, it } from "vitest";
import { createListeners } from "@/lib/createListeners";

it("notifies the listeners that were registered when the announcement started", () => {
  const seen: string[] = [];
  const listeners = createListeners<number>();
  const remove = listeners.add((event) => {
    seen.push(`first ${event}`);
    listeners.add((later) => seen.push(`later ${later}`));
  });
  listeners.announce(1);
  expect(seen).toEqual(["first 1"]);
  remove();
  listeners.announce(2);
  expect(seen).toEqual(["first 1", "later 2"]);
  expect(listeners.count()).toBe(1);
  listeners.clear();
  listeners.announce(3);
  expect(seen).toHaveLength(2);
});

it("passes a listener's error to onError and continues; without onError, throws it", () => {
  const errors: unknown[] = [];
  let heard = 0;
  const fail = () => {
    throw new Error("no");
  };
  const guarded = createListeners((error) => errors.push(error));
  guarded.add(fail);
  guarded.add(() => heard++);
  guarded.announce();
  expect([errors.length, heard]).toEqual([1, 1]);
  const plain = createListeners();
  plain.add(fail);
  expect(() => plain.announce()).toThrow("no");
});
