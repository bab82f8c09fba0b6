/**
 * Batches whose answers are long: the same JSON whether it is taken whole or in pieces, and no more work or memory than
 * the one who reads it takes.
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

/** Answers of so many characters: at once, later, or an error where the method says so. */
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

describe("a long answer", () => {
  it("is the same whole as in pieces, with its errors where they belong and nothing for notifications", async () => {
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

  it("ends at the limit of its batch, with an error for each request that is left", async () => {
    const { call, calls } = createCall(30_000);
    const { post } = await listen(call, { responseBytes: 1_000_000 });
    const answers = (await (await post(toBatch(200))).json()) as { id: number; result?: string }[];
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, id) => id));
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(33);
    expect(calls()).toBeLessThan(100);
  });

  it("that stays short comes in one piece", async () => {
    const { post } = await listen(createCall(10).call);
    const answer = await post(toBatch(100));
    expect(answer.headers.get("content-length")).toBe(String((await answer.text()).length));
  });
});

describe("a caller", () => {
  it.each(["now", "later"])(
    "that reads nothing is worked for no further (answers that are there %s)",
    async (method) => {
      const { call, calls } = createCall(100_000);
      const { port, post } = await listen(call);
      const socket = send(port, toBatch(5_000, method));
      socket.pause();
      // Others are answered as if nothing were; many turns of the loop pass.
      for (let round = 0; round < 30; round++) await (await post(toBatch(1, method))).text();
      // What sockets hold on both sides of a connection within a machine is some megabytes of the five hundred.
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
    },
  );

  it("that goes away ends the work, also before the first piece", async () => {
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

describe("the answers of a batch", () => {
  it("come in order and are never more at a time than may wait, whatever the order they are ready in", async () => {
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
        // What may wait, and the 32 that were under way when it was reached.
        expect(most).toBeLessThanOrEqual(256 * 1024 + 32 * 100_000);
      }),
      { numRuns: 100 },
    );
  });

  it("stop at once, also for the one who waits", async () => {
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
