/** Tests the event log: order, replay, reset, limits, and clients that read too slowly. */
import { describe, expect, test } from "vitest";
import { createEventLog } from "@/server/api/eventLog";
import { makeStreamRoom } from "@/server/api/stream";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readText(reader: Reader): Promise<string> {
  const { value, done } = await reader.read();
  return done ? "" : new TextDecoder().decode(value);
}

const toNumber = (message: string) => JSON.parse(/data: (.*)/.exec(message)?.[1] ?? "null") as { n: number };
const toId = (message: string) => /id: (\S+)/.exec(message)?.[1] ?? "";

describe("a new client", () => {
  test("gets the current state, then every event in order", async () => {
    const events = createEventLog("abc");
    events.publish("head", { n: 1 });
    const reader = events.open(undefined, { event: "head", data: { n: 1 } }).getReader();
    const greeting = await readText(reader);
    expect(greeting).toContain("retry: ");
    expect(greeting).toContain('event: head\ndata: {"n":1}');
    const next = readText(reader);
    events.publish("head", { n: 2 });
    events.publish("pool", { n: 3 });
    expect(toNumber(await next)).toEqual({ n: 2 });
    expect(await readText(reader)).toContain("event: pool");
    events.close();
    expect((await reader.read()).done).toBe(true);
  });
});

describe("a client that reconnects", () => {
  test("gets the events it missed", async () => {
    const events = createEventLog("abc");
    const reader = events.open(undefined, undefined).getReader();
    await readText(reader);
    events.publish("head", { n: 1 });
    const id = toId(await readText(reader));
    await reader.cancel();
    expect(events.clientCount()).toBe(0);
    events.publish("head", { n: 2 });
    const again = events.open(id, { event: "head", data: { n: 2 } }).getReader();
    expect(await readText(again)).not.toContain("event:");
    expect(toNumber(await readText(again))).toEqual({ n: 2 });
    events.close();
  });

  test.each(["other.1.1", "abc", "", "abc.zz.1"])("gets a reset if its last event ID is %j", async (id) => {
    const events = createEventLog("abc");
    const greeting = await readText(events.open(id, { event: "head", data: { n: 9 } }).getReader());
    expect(greeting).toContain("event: reset");
    expect(greeting).toContain('event: head\ndata: {"n":9}');
    events.close();
  });

  test("gets a reset if the events it missed are gone", async () => {
    const events = createEventLog("abc");
    const reader = events.open(undefined, undefined).getReader();
    await readText(reader);
    events.publish("head", { n: 0 });
    const id = toId(await readText(reader));
    await reader.cancel();
    for (let n = 1; n <= 600; n++) events.publish("head", { n });
    expect(await readText(events.open(id, undefined).getReader())).toContain("event: reset");
    events.close();
  });
});

test("disconnects only the client that stopped reading, once its position has left the log", async () => {
  const events = createEventLog("abc");
  const slow = events.open(undefined, undefined).getReader();
  const quick = events.open(undefined, undefined).getReader();
  await readText(slow);
  await readText(quick);
  for (let n = 1; n <= 600; n++) {
    const read = readText(quick);
    events.publish("head", { n });
    expect(toNumber(await read)).toEqual({ n });
  }
  await expect(slow.read()).rejects.toThrow("too slowly");
  expect(events.clientCount()).toBe(1);
  events.close();
});

test("also limits the log's size in bytes", async () => {
  const events = createEventLog("abc");
  const slow = events.open(undefined, undefined).getReader();
  await readText(slow);
  for (let n = 1; n <= 12; n++) events.publish("head", { n, text: "x".repeat(1024 * 1024) });
  await expect(slow.read()).rejects.toThrow("too slowly");
  events.close();
});

test("ends a stream of the client with the most streams to make room for a client with fewer", async () => {
  const [one, other] = [createEventLog("abc"), createEventLog("def")];
  const open = (events: typeof one, address: string) => events.open(undefined, undefined, address).getReader();
  const readers = [open(one, "greedy"), open(one, "greedy"), open(other, "greedy")];
  for (const reader of readers) await readText(reader);
  const streams = [other, one];
  expect(makeStreamRoom(streams, "new", 4)).toBe(true);
  expect(makeStreamRoom(streams, "greedy", 3)).toBe(false);
  const dropped = readers[2]!.read();
  expect(makeStreamRoom(streams, "new", 3)).toBe(true);
  expect((await dropped).done).toBe(true);
  await readText(open(other, "new"));
  // "greedy" has two streams and "new" has one. Ending a stream of "greedy" to open another for "new" would only swap
  // their counts.
  expect(makeStreamRoom(streams, "new", 3)).toBe(false);
  one.close();
  other.close();
});
