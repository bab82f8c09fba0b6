import { expect, test } from "vitest";
import { createFairQueue } from "@/server/execution/fairQueue";

type Item = { client: string; at: number; places: number };

const toItems = (client: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ client, at, places: 1 }));

test("clients take turns, and each client's jobs stay in order", () => {
  const queue = createFairQueue<Item>();
  for (const item of [...toItems("a", 3), ...toItems("b", 1), ...toItems("c", 2)]) queue.add(item);
  const order = Array.from({ length: 6 }, () => queue.next()).map((item) => `${item?.client}${item?.at}`);
  expect(order).toEqual(["a0", "b0", "c0", "a1", "c1", "a2"]);
  expect([queue.size, queue.next()]).toEqual([0, undefined]);
});

test("jobs that are put back come first among their client's jobs, and removed jobs never run", () => {
  const queue = createFairQueue<Item>();
  const [first, second, third] = toItems("a", 3);
  queue.add(third!);
  queue.putBack([first!, second!], "b");
  expect(queue.remove(second!)).toBe(true);
  expect(queue.remove(second!)).toBe(false);
  expect([queue.next(), queue.next(), queue.size]).toEqual([first, third, 0]);
});

test("a client whose job is put back doesn't lose its turn", () => {
  const queue = createFairQueue<Item>();
  for (const item of [...toItems("a", 4), ...toItems("b", 1)]) queue.add(item);
  const [, ...behind] = [queue.next(), queue.next(), queue.next()];
  queue.putBack(
    behind.map((item) => item!),
    "a",
  );
  expect([queue.next(), queue.next()]).toMatchObject([{ client: "b" }, { client: "a", at: 1 }]);
});

test("a client that is being served stays behind the others, even if two workers put its jobs back", () => {
  const queue = createFairQueue<Item>();
  for (const item of [...toItems("a", 6), ...toItems("b", 1)]) queue.add(item);
  const [, waiting, behind, , later] = [queue.next(), queue.next(), queue.next(), queue.next(), queue.next()];
  queue.putBack([waiting!, behind!], "a");
  queue.putBack([later!], "a");
  expect(queue.next()).toMatchObject({ client: "b" });
});

test("a full queue drops the newest job of the client with the most jobs to make room for a client with fewer", () => {
  const queue = createFairQueue<Item>();
  for (const item of [...toItems("few", 1), ...toItems("many", 5)]) queue.add(item);
  expect(queue.makeRoom({ client: "many", places: 1 })).toBeUndefined();
  expect(queue.makeRoom({ client: "new", places: 1 })).toMatchObject({ client: "many", at: 4 });
  expect(queue.makeRoom({ client: "few", places: 1 })).toMatchObject({ client: "many", at: 3 });
  expect(queue.makeRoom({ client: "few", places: 1 })).toMatchObject({ client: "many", at: 2 });
  // Client `many` has two jobs left. With another job, `few` would also have two, so no job is dropped.
  expect(queue.makeRoom({ client: "few", places: 1 })).toBeUndefined();
});
