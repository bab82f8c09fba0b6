/**
 * From a reader to the main process over real sockets: what the handlers there see, and what a client gets back, is as if
 * the client had connected to the main process itself.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { request as send } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createListener, type PageHandler } from "@/server/http/listener";
import { createRoutes } from "@/server/http/routes";
import type { HttpHandler } from "@/server/http/types";
import { createMainProcess } from "@/server/readers/mainProcess";
import { createPrivateServer } from "@/server/readers/privateServer";
import { keep } from "@/server/readers/testing/kept";

const bodyBytes = 100_000;
const secret = "0123456789abcdef";
const closers: (() => unknown)[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-main-process-"));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** The ports of a main process with these routes and of a reader that answers nothing by itself. */
async function startBoth(routes: Record<string, HttpHandler>, pages?: PageHandler) {
  const publicSite = { findHandler: createRoutes(routes), ...(pages && { pages }) };
  const listener = await createListener({ port: 0, bodyBytes, site: Promise.resolve(publicSite) });
  const path = join(folder, "main");
  const privateServer = await createPrivateServer({ path, secret, publicServer: listener.server, port: listener.port });
  const main = createMainProcess({ path, secret });
  const find = createRoutes({ "/api/posted": main.pass });
  const site = { findHandler: find, pages: main.passThrough, others: main.passThrough };
  const reader = await createListener({ port: 0, bodyBytes, site: Promise.resolve(site) });
  closers.push(listener.close, privateServer.close, main.close, reader.close);
  return { main: listener.port, reader: reader.port, path };
}

const echo: HttpHandler = async ({ method, path, query, headers, body, origin, remoteAddress }) => ({
  status: 200,
  headers: { "content-type": "application/json", "set-cookie": "a=1", vary: "origin" },
  body: JSON.stringify({ method, path, query: [...query], headers, length: body.length, origin, remoteAddress }),
});

it.each(["/api/echo?a=1&b=%20", "/api/posted?a=1"])("%s reaches its handler as it was sent", async (path) => {
  const ports = await startBoth({ "/api/echo": echo, "/api/posted": echo });
  for (const method of ["GET", "POST", "PUT", "OPTIONS"]) {
    for (const body of method === "GET" || method === "OPTIONS" ? [""] : ["", "x", "y".repeat(50_000)]) {
      const headers = { host: "node.example", "x-one": "1", "X-Tollscan-Client": `${secret} 192.0.2.7` };
      const [main, reader] = await Promise.all(
        [ports.main, ports.reader].map(async (port) => {
          const { text, ...answer } = await keep(port).send(method, path, { headers, body });
          const { headers: seen, ...rest } = JSON.parse(text);
          // How a body is framed is the connection's, as is whether it is kept. A stranger's claim to be a reader is dropped.
          const { connection: _, "transfer-encoding": __, "content-length": ___, ...own } = seen;
          delete own["x-tollscan-client"];
          delete answer.headers.date;
          delete answer.headers["content-length"];
          return { ...answer, rest, own };
        }),
      );
      expect(reader).toEqual(main);
      expect(reader!.rest.remoteAddress).toMatch(/127\.0\.0\.1$/);
    }
  }
});

it("gives pages on byte for byte, with every header and how it is spelt", async () => {
  const pages: PageHandler = async (req, res) => {
    res.setHeader("X-Seen", `${req.method} ${req.url} ${req.socket.remoteAddress} ${req.headers.cookie}`);
    res.setHeader("Set-Cookie", ["a=1", "b=2; Path=/"]);
    res.writeHead(203, "Quite so", { "Content-Type": "application/octet-stream", Vary: "rsc, accept" });
    for (const part of [Buffer.from([0, 255, 13, 10]), Buffer.alloc(200_000, 7)]) res.write(part);
    res.end();
  };
  const ports = await startBoth({}, pages);
  const raw = (port: number) =>
    new Promise<{ head: string; body: Buffer }>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, "127.0.0.1", () =>
        socket.write("GET /a%20b?c=d HTTP/1.1\r\nHost: node.example\r\nCookie: e=f\r\nConnection: close\r\n\r\n"),
      );
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", reject);
      socket.on("close", () => {
        const whole = Buffer.concat(chunks);
        const end = whole.indexOf("\r\n\r\n");
        // Dates differ by a second at times; chunks are cut anew.
        const head = whole.toString("latin1", 0, end).replace(/\r\nDate: [^\r]*/, "");
        resolve({ head, body: readChunks(whole.subarray(end + 4)) });
      });
    });
  const [main, reader] = [await raw(ports.main), await raw(ports.reader)];
  expect(reader.head.split("\r\n").sort()).toEqual(main.head.split("\r\n").sort());
  expect(reader.head).toContain("HTTP/1.1 203 Quite so\r\n");
  expect(reader.body.length).toBe(200_004);
  expect(reader.body.equals(main.body)).toBe(true);
});

/** The bytes that chunks (RFC 9112 7.1) hold. */
function readChunks(text: Buffer): Buffer {
  const end = text.indexOf("\r\n");
  const length = Number.parseInt(text.toString("latin1", 0, end), 16);
  if (length === 0) return Buffer.alloc(0);
  const after = end + 2 + length;
  return Buffer.concat([text.subarray(end + 2, after), readChunks(text.subarray(after + 2))]);
}

it("refuses a body that is too long as main does", async () => {
  const refuse: HttpHandler = async ({ body }) => ({ status: 413, headers: {}, body: `${body.length} bytes` });
  const ports = await startBoth({ "/api/limit": refuse, "/api/posted": refuse });
  for (const path of ["/api/limit", "/api/posted"]) {
    const answer = await keep(ports.reader).send("POST", path, { body: "x".repeat(5 * bodyBytes) });
    expect(answer).toMatchObject({ status: 413, text: `${bodyBytes + 1} bytes`, headers: { connection: "close" } });
  }
});

it.each(["/api/stream", "/api/posted"])("%s comes piece by piece, and ends with its client", async (path) => {
  let next: (text: string) => void = () => undefined;
  let isCancelled = false;
  const stream: HttpHandler = async () => ({
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: new ReadableStream({
      start(controller) {
        next = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
      cancel() {
        isCancelled = true;
      },
    }),
  });
  const ports = await startBoth({ "/api/stream": stream, "/api/posted": stream });
  let text = "";
  const arrived = (wanted: string) =>
    new Promise<void>((resolve) => {
      const look = () => (text === wanted ? resolve() : setTimeout(look, 5));
      look();
    });
  const asked = send({ host: "127.0.0.1", port: ports.reader, path, method: "POST", agent: false }, (answer) => {
    answer.on("data", (chunk) => {
      text += chunk;
    });
    answer.on("error", () => undefined);
  });
  asked.on("response", () => next("one"));
  asked.on("error", () => undefined);
  asked.end("x");
  await arrived("one");
  next("two");
  await arrived("onetwo");
  asked.destroy();
  while (!isCancelled) await new Promise((resolve) => setTimeout(resolve, 5));
});

it("tells a handler that its caller is gone", async () => {
  let hasBegun = false;
  const isGone = new Promise<void>((resolve) => {
    const wait: HttpHandler = ({ signal }) => {
      hasBegun = true;
      signal?.addEventListener("abort", () => resolve());
      return new Promise(() => undefined);
    };
    void startBoth({ "/api/posted": wait }).then(async ({ reader }) => {
      const kept = keep(reader);
      kept.send("POST", "/api/posted", { body: "x" }).catch(() => undefined);
      while (!hasBegun) await new Promise((again) => setTimeout(again, 5));
      kept.close();
    });
  });
  await isGone;
});

it("answers nobody who does not know the secret", async () => {
  const { path } = await startBoth({ "/api/echo": echo });
  for (const line of ["", "x-tollscan-client: 0123456789abcdee 192.0.2.1\r\n", "x-tollscan-client: \r\n"]) {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(path, () => socket.write(`GET /api/echo HTTP/1.1\r\nhost: a\r\n${line}\r\n`));
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
    });
    expect(answer).toBe("");
  }
});

it("says in one sentence that the main process is gone", async () => {
  const main = createMainProcess({ path: join(folder, "nobody"), secret });
  const find = createRoutes({ "/api/posted": main.pass });
  const site = { findHandler: find, pages: main.passThrough, others: main.passThrough };
  const reader = await createListener({ port: 0, bodyBytes, site: Promise.resolve(site) });
  closers.push(main.close, reader.close);
  for (const path of ["/api/posted", "/page"]) {
    const { status, text } = await keep(reader.port).send("POST", path, { body: "{}" });
    expect([status, JSON.parse(text)]).toEqual([502, { error: expect.stringMatching(/main process/) }]);
  }
});
