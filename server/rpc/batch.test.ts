/**
 * Tests batches with long responses: the JSON is the same whether it is sent in one piece or many, and a slow reader
 * limits both the work done and the memory used.
 */
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createRpcHandler } from "@/server/api/jsonRpc";
import { createListener } from "@/server/http/listener";
import { createBatch, toPieces } from "@/server/rpc/batch";
import { createDispatch, type RunAsText } from "@/server/rpc/dispatch";
import { toServerError } from "@/server/rpc/errors";

const limits = { batchLength: 10_000, responseBytes: 1_000_000_000, bodyBytes: 1_000_000 };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const toBatch = (length: number, method = "later") =>
  JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id, method, params: [id] })));

/** Returns results of the given length: immediately, later, or as an error, depending on the method. */
function createCall(characters: number) {
  const result = JSON.stringify("x".repeat(characters));
  let calls = 0;
  const call: RunAsText = async (method) => {
    calls++;
    if (method === "fails") throw toServerError("It failed.");
    return method === "now" ? result : new Promise((resolve) => setImmediate(resolve, result));
  };
  return { call, calls: () => calls };
}

async function listen(call: RunAsText, more: Partial<typeof limits> = {}) {
  const all = { ...limits, ...more };
  const dispatch = createDispatch(all, call);
  const handler = createRpcHandler({ ...dispatch, call: () => Promise.reject(new Error("no document")) }, all);
  const listener = await createListener({
    port: 0,
    bodyBytes: all.bodyBytes,
    site: Promise.resolve({ findHandler: () => handler }),
  });
  closers.push(() => listener.close());
  const url = `http://127.0.0.1:${listener.port}/api/rpc`;
  const post = (body: string) => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return { ...listener, ...dispatch, post };
}

function send(port: number, body: string): Socket {
  const socket = connect(port, "127.0.0.1");
  closers.push(() => socket.destroy());
  socket.on("error", () => undefined);
  const head = "POST /api/rpc HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json";
  socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

describe("a batch response", () => {
  it("is the same in one piece or in many, with errors in order and nothing for notifications", async () => {
    const { call } = createCall(30_000);
    const { dispatch, post } = await listen(call);
    const methods = ["later", "now", "fails", "fails"];
    const requests = Array.from({ length: 200 }, (_, id) => ({
      jsonrpc: "2.0",
      ...(id % 7 !== 3 && { id }),
      method: methods[id % methods.length],
    }));
    const body = JSON.stringify(requests);
    const answer = await post(body);
    expect(answer.headers.get("transfer-encoding")).toBe("chunked");
    const text = await answer.text();
    expect(text).toBe(await dispatch(Buffer.from(body), {}));
    const ids = requests.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(JSON.parse(text).map(({ id }: { id: number }) => id)).toEqual(ids);
    const failed = (each: { id: number; error?: unknown }) => each.error !== undefined;
    expect(JSON.parse(text).filter(failed)).toHaveLength(ids.filter((id) => id % methods.length >= 2).length);
  });

  it("stops at its size limit, with an error for each remaining request", async () => {
    const { call, calls } = createCall(30_000);
    const { post } = await listen(call, { responseBytes: 1_000_000 });
    const answers = (await (await post(toBatch(200))).json()) as { id: number; result?: string }[];
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, id) => id));
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(33);
    expect(calls()).toBeLessThan(100);
  });

  it("is sent in one piece if it is short", async () => {
    const { post } = await listen(createCall(10).call);
    const answer = await post(toBatch(100));
    expect(answer.headers.get("content-length")).toBe(String((await answer.text()).length));
  });
});

describe("a batch", () => {
  it.each(["now", "later"])("pauses while its caller isn't reading (results ready %s)", async (method) => {
    const { call, calls } = createCall(100_000);
    const { port, post } = await listen(call);
    const socket = send(port, toBatch(5_000, method));
    socket.pause();
    // Meanwhile, other callers are served as usual. Serving them takes many turns of the event loop, so the batch would
    // make progress if it weren't paused.
    for (let round = 0; round < 30; round++) await (await post(toBatch(1, method))).text();
    // Of the 500 MB response, the socket buffers on both sides hold only a few megabytes.
    expect(calls()).toBeLessThan(500);
    socket.resume();
    await new Promise<void>((resolve) => {
      let end = "";
      socket.on("data", (chunk: Buffer) => {
        end = (end + chunk.toString("latin1")).slice(-20);
        if (end.endsWith("]\r\n0\r\n\r\n")) resolve();
      });
    });
    expect(calls()).toBe(5_030);
  });

  it("stops when its caller disconnects, even before the first piece", async () => {
    const { call, calls } = createCall(100);
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { port, post, server } = await listen(async (...args) => {
      const answer = call(...args);
      begin();
      await held;
      return answer;
    });
    const socket = send(port, toBatch(5_000));
    await begun;
    socket.destroy();
    await vi.waitUntil(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count === 0))), {
      timeout: 120_000,
    });
    const before = calls();
    release();
    await (await post(toBatch(1))).text();
    expect(calls()).toBe(before + 1);
  });
});

describe("createBatch", () => {
  it("returns responses in request order and bounds unread output, whichever response is ready first", async () => {
    const plan = fc.array(
      fc.record({ turns: fc.nat(6), isNotification: fc.boolean(), length: fc.constantFrom(1, 1_000, 100_000) }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(plan, async (requests) => {
        let waiting = 0;
        let most = 0;
        const toText = (position: number) =>
          requests[position]!.isNotification ? undefined : `${position}:`.padEnd(requests[position]!.length, "x");
        const batch = createBatch([...requests.keys()], {
          responseBytes: 10_000_000,
          skip: () => "skipped",
          async answer(request) {
            const position = request as number;
            const text = toText(position);
            waiting += text?.length ?? 0;
            most = Math.max(most, waiting);
            for (let turn = 0; turn < requests[position]!.turns; turn++) await undefined;
            return text;
          },
        });
        const taken: string[] = [];
        for (let text = await batch.next(); text !== undefined; text = await batch.next()) {
          taken.push(text);
          waiting -= text.length;
        }
        expect(taken).toEqual([...requests.keys()].map(toText).filter((text) => text !== undefined));
        // The limit on unread output, plus the responses to the 32 requests that were running when the limit was
        // reached.
        expect(most).toBeLessThanOrEqual(256 * 1024 + 32 * 100_000);
      }),
      { numRuns: 100 },
    );
  });

  it("stops immediately, even during a pending read", async () => {
    const batch = createBatch([1, 2, 3], {
      responseBytes: 1_000,
      skip: () => undefined,
      answer: () => new Promise(() => undefined),
    });
    const pieces = toPieces(batch);
    const waiting = pieces.next();
    pieces.stop();
    expect(await waiting).toBe(undefined);
    expect(await pieces.next()).toBe(undefined);
  });
});

it("starts every request of a batch while others wait for a block", async () => {
  const length = 500;
  let begun = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const batch = createBatch(Array.from({ length }), {
    answer: async (_request, pause) => {
      begun++;
      if (begun === length) resolve();
      await pause(() => promise);
      return "{}";
    },
    skip: () => undefined,
    responseBytes: 1_000_000,
  });
  const answers: string[] = [];
  for (let text = await batch.next(); text !== undefined; text = await batch.next()) answers.push(text);
  expect(answers).toHaveLength(length);
});
