/** The listener over real sockets: routing, limits, streams, callers that go away or do not speak HTTP. */
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createListener, type Site } from "@/server/http/listener";
import { createRoutes } from "@/server/http/routes";
import type { HttpHandler } from "@/server/http/types";

const bodyBytes = 1_000;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function listen(routes: Record<string, HttpHandler>, pages?: Site["pages"]) {
  const site = Promise.resolve({ findHandler: createRoutes(routes), ...(pages && { pages }) });
  const listener = await createListener(0, bodyBytes, site);
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

/** Sends raw bytes and answers everything that comes back until the server closes. */
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

  test("behind a proxy is told the origin its caller used", async () => {
    const { origin } = await listen({ "/api/echo": echo });
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "tollscan.example" };
    expect(await (await fetch(`${origin}/api/echo`, { headers })).json()).toMatchObject({
      origin: "https://tollscan.example",
    });
  });

  test("with too long a body reaches its handler cut one byte past the limit, and the caller reads the refusal", async () => {
    const { origin } = await listen({
      "/api/limit": async ({ body }) => ({ status: 413, headers: {}, body: `${body.length} bytes` }),
    });
    const answer = await fetch(`${origin}/api/limit`, { method: "POST", body: "x".repeat(5 * bodyBytes) });
    expect(answer.status).toBe(413);
    expect(answer.headers.get("connection")).toBe("close");
    expect(await answer.text()).toBe("1001 bytes");
  });

  test("by HEAD has the headers of GET and no body", async () => {
    const { origin, port } = await listen({ "/api/echo": echo });
    const length = (await fetch(`${origin}/api/echo`)).headers.get("content-length");
    const answer = await exchange(port, "HEAD /api/echo HTTP/1.1\r\nhost: localhost:1\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).toContain("content-length: ");
    expect(answer.endsWith("\r\n\r\n")).toBe(true);
    expect(Number(length)).toBeGreaterThan(0);
  });

  test("to an unknown path under /api is 404 in JSON; any other path is the pages'", async () => {
    const { origin } = await listen({}, async (_req, res) => void res.end("a page"));
    const answer = await fetch(`${origin}/api/nothing`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: "Nothing answers at /api/nothing." });
    expect(await (await fetch(`${origin}/api-docs`)).text()).toBe("a page");
  });

  test("whose handler throws is answered 500 without detail", async () => {
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
    const listener = await createListener(
      0,
      bodyBytes,
      new Promise<Site>((resolve) => {
        setSite = resolve;
      }),
    );
    open.push(listener);
    const answer = fetch(`http://localhost:${listener.port}/api/echo`);
    setSite({ findHandler: createRoutes({ "/api/echo": echo }) });
    expect((await answer).status).toBe(200);
  });
});

describe("what is not a good request", () => {
  test("not HTTP: 400 and one sentence", async () => {
    const { port } = await listen({});
    expect(await exchange(port, "hello\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*This is not an HTTP request\."}$/);
  });

  test("headers beyond the limit: 431", async () => {
    const { port } = await listen({});
    const answer = await exchange(port, `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${"a".repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("a header of a whole payment passes", async () => {
    const { origin } = await listen({ "/api/echo": echo });
    expect((await fetch(`${origin}/api/echo`, { headers: { "payment-signature": "a".repeat(20_000) } })).status).toBe(
      200,
    );
  });

  test("a body that never becomes whole does not reach the handler", async () => {
    let calls = 0;
    const { port, origin } = await listen({
      "/api/count": async () => {
        calls++;
        return { status: 200, headers: {}, body: "" };
      },
    });
    await new Promise<void>((resolve) => {
      const socket = connect(port, "localhost", () => {
        socket.write("POST /api/count HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc", () => socket.destroy());
      });
      socket.on("close", () => resolve());
    });
    await fetch(`${origin}/api/count`, { method: "POST", body: "x" });
    expect(calls).toBe(1);
  });
});

describe("a stream", () => {
  test("is sent as it comes and cancelled when the caller goes", async () => {
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

  test("whose source fails cuts the connection", async () => {
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

  test("asked for by HEAD is cancelled at once", async () => {
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

test("a caller that goes away aborts the handler's signal", async () => {
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

test("a port in use is refused at once", async () => {
  const { port } = await listen({});
  await expect(createListener(port, bodyBytes, new Promise(() => undefined))).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});
