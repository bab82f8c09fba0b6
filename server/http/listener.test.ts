/** Tests the listener over real sockets: routing, limits, streams, and callers that disconnect or don't speak HTTP. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRoutes } from "@/server/api/routes";
import { createBodyMemory } from "@/server/http/bodyMemory";
import { createListener, type Site } from "@/server/http/listener";
import type { HttpHandler } from "@/server/http/types";

const bodyBytes = 1_000;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function listen(
  routes: Record<string, HttpHandler>,
  more: Omit<Site, "findHandler"> = {},
  headersTimeoutMs = 10_000,
  memory = createBodyMemory(),
) {
  const site = Promise.resolve({ findHandler: createRoutes(routes), ...more });
  const listener = await createListener({ port: 0, bodyBytes, site, headersTimeoutMs, memory });
  open.push(listener);
  return { ...listener, origin: `http://localhost:${listener.port}` };
}

const echo: HttpHandler = async (request) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    method: request.method,
    path: request.path,
    query: [...request.query],
    origin: request.origin,
    length: request.body.length,
  }),
});

/** Sends raw bytes and returns everything received until the server closes the connection. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "localhost", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

/** Opens a raw connection. `until(text)` waits until the received text ends with the given text. */
async function openConnection(port: number, options: { allowHalfOpen?: boolean; localAddress?: string } = {}) {
  const socket = connect({ port, host: options.localAddress ? "127.0.0.1" : "localhost", ...options });
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  return {
    socket,
    send: (request: string) => void socket.write(request),
    until: async (end: string) => {
      while (!text.endsWith(end)) await once(socket, "data");
      return text;
    },
  };
}

const toPost = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const repeat: HttpHandler = async ({ body }) => ({ status: 200, headers: {}, body: Buffer.from(body).toString() });

/** Creates a handler that responds once it is released. */
function createHeld() {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const handler: HttpHandler = async (request) => {
    begun.resolve();
    await released.promise;
    return repeat(request);
  };
  return { handler, begun: begun.promise, release: released.resolve };
}

describe("a request", () => {
  test("reaches its handler with path, query, origin and body", async () => {
    const { origin } = await listen({ "/api/echo": echo });
    const answer = await fetch(`${origin}/api/echo?a=1&b=%20`, { method: "POST", body: "x".repeat(1_000) });
    expect(await answer.json()).toEqual({
      method: "POST",
      path: "/api/echo",
      query: [
        ["a", "1"],
        ["b", " "],
      ],
      origin,
      length: 1_000,
    });
  });

  test("through a proxy has the origin that the caller used", async () => {
    const { origin } = await listen({ "/api/echo": echo });
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "tollscan.example" };
    expect(await (await fetch(`${origin}/api/echo`, { headers })).json()).toMatchObject({
      origin: "https://tollscan.example",
    });
  });

  test("that is too large reaches its handler cut one byte past the limit, and the caller gets the refusal", async () => {
    const { origin } = await listen({
      "/api/limit": async ({ body }) => ({ status: 413, headers: {}, body: `${body.length} bytes` }),
    });
    const answer = await fetch(`${origin}/api/limit`, { method: "POST", body: "x".repeat(5 * bodyBytes) });
    expect(answer.status).toBe(413);
    expect(answer.headers.get("connection")).toBe("close");
    expect(await answer.text()).toBe("1001 bytes");
  });

  test("whose body is unfinished is rejected if such bodies fill the memory and its client uses the most", async () => {
    const memory = createBodyMemory(4_000);
    const { port, origin } = await listen({ "/api/echo": echo }, {}, 10_000, memory);
    const begin = async (localAddress: string) => {
      const connection = await openConnection(port, { allowHalfOpen: false, localAddress });
      connection.send("POST /api/echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n");
      connection.send("x".repeat(900));
      return connection;
    };
    const greedy = await Promise.all(Array.from({ length: 5 }, () => begin("127.0.0.2")));
    const refused = await Promise.race(greedy.map(({ until }) => until("}")));
    expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*too many large requests/);
    // Bodies from other clients are read, whether they arrive all at once or slowly.
    expect((await fetch(`${origin}/api/echo`, { method: "POST", body: "y".repeat(900) })).status).toBe(200);
    const other = await begin("127.0.0.1");
    other.send("x".repeat(100));
    expect(await other.until("}")).toMatch(/^HTTP\/1\.1 200 /);
    // The memory that a client's body uses is released when the client disconnects.
    for (const { socket } of greedy) socket.destroy();
    await Promise.all(greedy.map(({ socket }) => socket.closed || once(socket, "close")));
    const later = await begin("127.0.0.2");
    later.send("x".repeat(100));
    expect(await later.until("}")).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(["/%", "/testnet/tx/%ff", "/api/rpc/%E0%A4", "*"])(
    "for the malformed URL %s gets a 400",
    async (target) => {
      const { port } = await listen({}, { pages: async (_req, res) => void res.end("a page") });
      const answer = await exchange(port, `POST ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*The URL /);
      const get = await exchange(port, `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      expect(get).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test("with HEAD gets the headers of GET and no body", async () => {
    const { origin, port } = await listen({ "/api/echo": echo });
    const length = (await fetch(`${origin}/api/echo`)).headers.get("content-length");
    const answer = await exchange(port, "HEAD /api/echo HTTP/1.1\r\nhost: localhost:1\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).toContain("content-length: ");
    expect(answer.endsWith("\r\n\r\n")).toBe(true);
    expect(Number(length)).toBeGreaterThan(0);
  });

  test("to an unknown path under /api gets a JSON 404, and other paths go to the pages", async () => {
    const { origin } = await listen({}, { pages: async (_req, res) => void res.end("a page") });
    const answer = await fetch(`${origin}/api/nothing`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: "No route for /api/nothing." });
    expect(await (await fetch(`${origin}/api-docs`)).text()).toBe("a page");
  });

  test("whose handler throws gets a 500 without details", async () => {
    const { origin } = await listen({
      "/api/bug": async () => {
        throw new Error("secret detail");
      },
    });
    const answer = await fetch(`${origin}/api/bug`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
  });

  test("waits for a site that is not ready yet", async () => {
    let setSite: (site: Site) => void = () => undefined;
    const listener = await createListener({
      port: 0,
      bodyBytes,
      site: new Promise<Site>((resolve) => {
        setSite = resolve;
      }),
    });
    open.push(listener);
    const answer = fetch(`http://localhost:${listener.port}/api/echo`);
    setSite({ findHandler: createRoutes({ "/api/echo": echo }) });
    expect((await answer).status).toBe(200);
  });
});

describe("an invalid or unusual request", () => {
  test("that is not HTTP gets a 400 and an explanation", async () => {
    const { port } = await listen({});
    expect(await exchange(port, "hello\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*Invalid HTTP request\."}$/);
  });

  test("with headers above the limit gets a 431", async () => {
    const { port } = await listen({});
    const answer = await exchange(port, `GET / HTTP/1.1\r\nhost: localhost\r\nx-long: ${"a".repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("with a whole payment in a header is accepted", async () => {
    const { origin } = await listen({ "/api/echo": echo });
    expect((await fetch(`${origin}/api/echo`, { headers: { "payment-signature": "a".repeat(20_000) } })).status).toBe(
      200,
    );
  });

  test("with an incomplete body does not reach the handler", async () => {
    let calls = 0;
    const { port, origin } = await listen({
      "/api/count": async () => {
        calls++;
        return { status: 200, headers: {}, body: "" };
      },
    });
    await new Promise<void>((resolve) => {
      const socket = connect(port, "localhost", () => {
        socket.write("POST /api/count HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nabc", () =>
          socket.destroy(),
        );
      });
      socket.on("close", () => resolve());
    });
    await fetch(`${origin}/api/count`, { method: "POST", body: "x" });
    expect(calls).toBe(1);
  });
});

describe("a stream", () => {
  test("is sent as it is produced and canceled when the caller disconnects", async () => {
    let cancelled: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const { origin } = await listen({
      "/api/stream": async () => ({
        status: 200,
        headers: { "content-type": "text/event-stream" },
        body: new ReadableStream<Uint8Array>(
          {
            start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
            pull: () => new Promise(() => undefined),
            cancel: () => cancelled(),
          },
          { highWaterMark: 0 },
        ),
      }),
    });
    const abort = new AbortController();
    const answer = await fetch(`${origin}/api/stream`, { signal: abort.signal });
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    abort.abort();
    await gone;
  });

  test("closes the connection if its source fails", async () => {
    const { origin } = await listen({
      "/api/stream": async () => ({
        status: 200,
        headers: {},
        body: new ReadableStream<Uint8Array>(
          {
            start: (controller) => controller.enqueue(new Uint8Array([65])),
            pull: (controller) => controller.error(new Error("too slow")),
          },
          { highWaterMark: 0 },
        ),
      }),
    });
    await expect(fetch(`${origin}/api/stream`).then((answer) => answer.text())).rejects.toThrow();
  });

  test("requested with HEAD is canceled immediately", async () => {
    let cancelled = false;
    const { origin } = await listen({
      "/api/stream": async () => ({
        status: 200,
        headers: {},
        body: new ReadableStream<Uint8Array>({
          cancel: () => {
            cancelled = true;
          },
        }),
      }),
    });
    expect((await fetch(`${origin}/api/stream`, { method: "HEAD" })).status).toBe(200);
    expect(cancelled).toBe(true);
  });
});

test("aborts the handler's signal if the caller disconnects", async () => {
  let aborted: () => void = () => undefined;
  let started: () => void = () => undefined;
  const isAborted = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const isStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const { origin } = await listen({
    "/api/wait": async ({ signal }) => {
      signal?.addEventListener("abort", () => aborted());
      started();
      await isAborted;
      return { status: 200, headers: {}, body: "" };
    },
  });
  const abort = new AbortController();
  const answer = fetch(`${origin}/api/wait`, { signal: abort.signal }).catch(() => undefined);
  await isStarted;
  abort.abort();
  await isAborted;
  await answer;
});

describe("a connection", () => {
  test("with pipelined requests gets the responses in order", async () => {
    const held = createHeld();
    const { port } = await listen({ "/api/slow": held.handler, "/api/x": repeat });
    const { send, until } = await openConnection(port);
    send(toPost("/api/slow", "slow") + toPost("/api/x", "early") + toPost("/api/x", "last"));
    await held.begun;
    held.release();
    expect((await until("last")).match(/slow|early|last/g)).toEqual(["slow", "early", "last"]);
  });

  test("is closed if a response has an invalid header", async () => {
    const { port } = await listen({ "/api/x": async () => ({ status: 200, headers: { a: "b\r\nc: d" }, body: "" }) });
    expect(await exchange(port, toPost("/api/x", "{}"))).toBe("");
  });

  test("that does not read makes its stream wait", async () => {
    let pulled = 0;
    const cancelled = Promise.withResolvers<void>();
    const chunk = new Uint8Array(1_000_000);
    const flood: HttpHandler = async () => ({
      status: 200,
      headers: {},
      body: new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulled++;
            controller.enqueue(chunk);
          },
          cancel: () => cancelled.resolve(),
        },
        { highWaterMark: 0 },
      ),
    });
    const { port, origin } = await listen({ "/api/flood": flood, "/api/x": repeat });
    const { socket, send } = await openConnection(port);
    socket.pause();
    send(toPost("/api/flood", "{}"));
    // Fifty round trips give the stream time: if it didn't wait for the client, it would have sent hundreds of chunks.
    for (let turn = 0; turn < 50; turn++) {
      expect(await (await fetch(`${origin}/api/x`, { method: "POST", body: `${turn}` })).text()).toBe(`${turn}`);
    }
    expect(pulled).toBeLessThan(30);
    socket.destroy();
    await cancelled.promise;
  });
});

describe("a server keeps serving after a client resets its connection", () => {
  /** This doesn't use `events.once`, which also listens for errors and would hide an unhandled one. */
  const toClose = (socket: Socket) =>
    new Promise<void>((resolve) => (socket.closed ? resolve() : socket.on("close", () => resolve())));

  async function assertAnswers(origin: string): Promise<void> {
    expect(await (await fetch(`${origin}/api/x`, { method: "POST", body: "still here" })).text()).toBe("still here");
  }

  test.each([
    ["before sending anything", ""],
    ["after half a head", toPost("/api/x", "{}").slice(0, 30)],
    ["after half a body", toPost("/api/x", "{}").slice(0, -1)],
  ])("%s", async (_name, text) => {
    const { port, origin, server } = await listen({ "/api/x": repeat });
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const { socket, send } = await openConnection(port);
    const [theirs] = await accepted;
    if (text !== "") {
      send(text);
      await vi.waitUntil(() => theirs.bytesRead === text.length, { timeout: 120_000, interval: 2 });
    }
    socket.resetAndDestroy();
    await toClose(theirs);
    await assertAnswers(origin);
  });

  test.each([
    ["before sending anything", ""],
    ["after half a head", toPost("/api/x", "{}").slice(0, 30)],
  ])("%s and gets a 408", async (_name, text) => {
    const { port, origin, server } = await listen({ "/api/x": repeat }, {}, 100);
    const accepted = once(server, "connection") as Promise<[Socket]>;
    // The connection is half open, so that there is still something to reset after the response.
    const { socket, send, until } = await openConnection(port, { allowHalfOpen: true });
    const [theirs] = await accepted;
    send(text);
    expect(await until('arrive."}')).toMatch(/^HTTP\/1\.1 408 /);
    socket.resetAndDestroy();
    await toClose(theirs);
    await assertAnswers(origin);
  });

  test.each([
    ["that nothing accepts", false],
    ["that waits for the site", true],
  ])("during an upgrade %s", async (_name, isWaiting) => {
    const site = Promise.withResolvers<Site>();
    const ready: Site = { findHandler: createRoutes({ "/api/x": repeat }) };
    if (!isWaiting) site.resolve(ready);
    const listener = await createListener({ port: 0, bodyBytes, site: site.promise });
    open.push(listener);
    const upgraded = once(listener.server, "upgrade") as Promise<[unknown, Socket]>;
    const { socket, send } = await openConnection(listener.port);
    send("GET /api/x HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    const [, theirs] = await upgraded;
    socket.resetAndDestroy();
    await toClose(theirs);
    site.resolve(ready);
    await assertAnswers(`http://localhost:${listener.port}`);
  });
});

test("closing ends idle and silent connections immediately, and a busy one after its response", async () => {
  const held = createHeld();
  const { port, close } = await listen({ "/api/slow": held.handler, "/api/x": repeat });
  const silent = await openConnection(port);
  const idle = await openConnection(port);
  idle.send(toPost("/api/x", "idle"));
  await idle.until("idle");
  const busy = await openConnection(port);
  busy.send(toPost("/api/slow", "busy"));
  await held.begun;
  const closing = close();
  await Promise.all([idle, silent].map(({ socket }) => socket.closed || once(socket, "close")));
  held.release();
  await busy.until("busy");
  await closing;
});

test("a port in use is reported immediately", async () => {
  const { port } = await listen({});
  await expect(createListener({ port, bodyBytes, site: new Promise(() => undefined) })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});
