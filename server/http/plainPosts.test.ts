/**
 * Plain POSTs over real sockets: what is read of a head is what node:http reads, answers are node:http's to the byte,
 * and whatever is not plain is node:http's.
 */
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createListener } from "@/server/http/listener";
import { readPlainHead } from "@/server/http/plainHead";
import { createPlainPosts } from "@/server/http/plainPosts";
import { createRoutes } from "@/server/http/routes";
import type { HttpHandler, HttpResponse } from "@/server/http/types";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** heard: requests that node:http has read. */
async function listen(routes: Record<string, HttpHandler>) {
  const listener = await createListener(0, 200_000, Promise.resolve({ findHandler: createRoutes(routes) }));
  closers.push(() => listener.close());
  let heard = 0;
  listener.server.on("request", () => {
    heard++;
  });
  let accepted: Socket | undefined;
  listener.server.on("connection", (socket) => {
    accepted = socket;
  });
  /** Sends a piece alone, on the connection that was opened last: resolves once the listener has read it. */
  const sendAlone = async ({ socket, send }: Client, piece: string) => {
    send(piece);
    await waitUntil(() => accepted?.bytesRead === socket.bytesWritten);
  };
  return { ...listener, heard: () => heard, sendAlone };
}

const waitUntil = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 20_000, interval: 2 });

type Client = { socket: Socket; send(text: string): void; until(isThere: (text: string) => boolean): Promise<string> };

async function open(port: number): Promise<Client> {
  const socket = connect(port, "127.0.0.1");
  closers.push(() => socket.destroy());
  let text = "";
  let look = () => undefined as unknown;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    look();
  });
  socket.on("close", () => look());
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  return {
    socket,
    send: (request) => void socket.write(request, "latin1"),
    until: (isThere) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (isThere(text)) resolve(text);
          else if (socket.destroyed) reject(new Error(`The connection ended after ${JSON.stringify(text)}.`));
        };
        look();
      }),
  };
}

const toPost = (body: string, headers = "", path = "/api/x") =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const echo: HttpHandler = async ({ body }) => ({ status: 200, headers: {}, body: Buffer.from(body).toString() });
const endsWith = (end: string) => (text: string) => text.endsWith(end);

/** What node:http takes and a plain head may not have. */
const tab = "x-tab:\ta\r\n";

/** An answer on a connection of its own. */
async function ask(port: number, request: string, isThere: (text: string) => boolean): Promise<string> {
  const client = await open(port);
  client.send(request);
  const text = await client.until(isThere);
  client.socket.destroy();
  return text.replace(/\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/, "\r\nDate: now\r\n");
}

describe("an answer", () => {
  const toStream = (...parts: string[]) => new Blob(parts).stream() as ReadableStream<Uint8Array>;
  const answers: Record<string, () => HttpResponse> = {
    "of ASCII": () => ({ status: 200, headers: { "content-type": "text/plain" }, body: "abc" }),
    "of kept headers": () => ({ status: 200, headers: Object.freeze({ a: "b" }), body: "abc" }),
    "of other letters": () => ({ status: 404, headers: {}, body: "é 漢 🜚 z" }),
    "of bytes": () => ({ status: 200, headers: {}, body: Uint8Array.of(1, 2, 122) }),
    "of nothing": () => ({ status: 200, headers: { "x-last": "z" }, body: "" }),
    "without a body": () => ({ status: 204, headers: { "x-last": "z" }, body: "" }),
    "with a status that has no name": () => ({ status: 299, headers: {}, body: "z" }),
    "as a stream": () => ({ status: 200, headers: {}, body: toStream("abc") }),
  };
  test.each(Object.entries(answers))("%s is node:http's to the byte", async (_name, answer) => {
    const { port, heard } = await listen({ "/api/x": async () => answer() });
    const isThere = (text: string) => /z$|abc$|\r\n0\r\n\r\n$|(x-last: z[\s\S]*timeout=65\r\n\r\n)$/.test(text);
    for (const headers of ["", "x-request-id: of-a-proxy\r\n"]) {
      const plain = await ask(port, toPost("{}", headers), isThere);
      const before = heard();
      expect(await ask(port, toPost("{}", headers + tab), isThere)).toBe(plain);
      expect(heard()).toBe(before + 1);
      expect(plain.includes("x-request-id: of-a-proxy")).toBe(headers !== "");
    }
    expect(heard()).toBe(2);
  });

  test("with a header that HTTP cannot carry cuts the connection", async () => {
    const { port } = await listen({ "/api/x": async () => ({ status: 200, headers: { a: "b\r\nc: d" }, body: "" }) });
    const client = await open(port);
    client.send(toPost("{}"));
    await expect(client.until(endsWith("never"))).rejects.toThrow('after ""');
  });

  test("of a handler that throws is 500 without detail", async () => {
    const fail: HttpHandler = async () => {
      throw new Error("secret");
    };
    const { port } = await listen({ "/api/x": fail });
    const text = await ask(port, toPost("{}"), endsWith('"}'));
    expect(text).toMatch(/^HTTP\/1\.1 500 /);
    expect(text).not.toContain("secret");
  });
});

describe("a connection", () => {
  test("carries one request after another without node:http", async () => {
    const { port, heard } = await listen({ "/api/x": echo });
    const client = await open(port);
    for (const body of ["one", "two", "3", "four four four"]) {
      client.send(toPost(body));
      await client.until(endsWith(`\r\n\r\n${body}`));
    }
    expect(heard()).toBe(0);
  });

  test.each<[string, string[]]>([
    ["two requests in one piece", [toPost("first") + toPost("last")]],
    ["a body in pieces", [toPost("first last").slice(0, -4), "la", "st"]],
    ["another request behind a body in two pieces", [toPost("first").slice(0, -4), `irst${toPost("last")}`]],
    ["a head in pieces", [toPost("first last").slice(0, 30), toPost("first last").slice(30)]],
    ["a large body", [toPost(`first${"x".repeat(150_000)}last`)]],
    [
      "a body by chunks",
      ["POST /api/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\na\r\nfirst last\r\n0\r\n\r\n"],
    ],
    ["an absolute target", [toPost("first last").replace("/api/x", "http://localhost/api/x")]],
    ["what must be confirmed", [toPost("first last", "x-a: b\r\n").replace("x-a: b", "expect: 100-continue")]],
  ])("with %s is node:http's, also later", async (_name, pieces) => {
    const { port, heard, sendAlone } = await listen({ "/api/x": echo });
    const client = await open(port);
    client.send(toPost("plain"));
    await client.until(endsWith("plain"));
    for (const piece of pieces) await sendAlone(client, piece);
    const text = await client.until(endsWith("last"));
    expect(text.indexOf("first")).toBeGreaterThan(text.indexOf("plain"));
    client.send(toPost("plain again"));
    await client.until(endsWith("plain again"));
    expect(heard()).toBeGreaterThanOrEqual(2);
  });

  test("takes a body that comes after its head without node:http", async () => {
    const { port, heard, sendAlone } = await listen({ "/api/x": echo });
    const client = await open(port);
    for (const body of ["one", "four four four", "one again"]) {
      await sendAlone(client, toPost(body).slice(0, -body.length));
      client.send(body);
      await client.until(endsWith(`\r\n\r\n${body}`));
    }
    expect(heard()).toBe(0);
  });

  test("answers in the order of the requests that came before the first answer", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: HttpHandler = async (request) => {
      await held;
      return echo(request);
    };
    const { port, sendAlone } = await listen({ "/api/x": slow, "/api/y": echo });
    const client = await open(port);
    await sendAlone(client, toPost("slow"));
    await sendAlone(client, toPost("early", "", "/api/y").slice(0, 40));
    client.send(toPost("early", "", "/api/y").slice(40) + toPost("last", "", "/api/y"));
    release();
    const text = await client.until(endsWith("last"));
    expect(text.match(/slow|early|last/g)).toEqual(["slow", "early", "last"]);
  });

  test("serves a GET between its POSTs, and a path that nothing answers", async () => {
    const { port } = await listen({
      "/api/x": echo,
      "/api/get": async () => ({ status: 200, headers: {}, body: "got" }),
    });
    const client = await open(port);
    client.send(toPost("one"));
    await client.until(endsWith("one"));
    client.send("GET /api/get HTTP/1.1\r\nhost: x\r\n\r\n");
    await client.until(endsWith("got"));
    client.send(toPost("two", "", "/api/nothing"));
    await client.until(endsWith('{"error":"Nothing answers at /api/nothing."}'));
  });

  test("that closes aborts the signal of its request", async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let abort: () => void = () => undefined;
    const aborted = new Promise<void>((resolve) => {
      abort = resolve;
    });
    const wait: HttpHandler = async ({ signal }) => {
      signal?.addEventListener("abort", abort);
      begin();
      await aborted;
      return { status: 200, headers: {}, body: "" };
    };
    const { port, heard } = await listen({ "/api/x": wait });
    const client = await open(port);
    client.send(toPost("{}"));
    await begun;
    client.socket.destroy();
    await aborted;
    expect(heard()).toBe(0);
  });

  test("that closes cancels the stream that it is sent, and one that does not read makes it wait", async () => {
    let pulled = 0;
    let cancel: () => void = () => undefined;
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
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
          cancel: () => cancel(),
        },
        { highWaterMark: 0 },
      ),
    });
    const { port, heard } = await listen({ "/api/x": flood, "/api/y": echo });
    const client = await open(port);
    client.socket.pause();
    client.send(toPost("{}"));
    const other = await open(port);
    // A few round trips and turns of the loop: what would not wait had sent hundreds by then.
    for (let turn = 0; turn < 50; turn++) {
      other.send(toPost(`${turn}`, "", "/api/y"));
      await other.until(endsWith(`\r\n\r\n${turn}`));
    }
    expect(pulled).toBeLessThan(30);
    client.socket.destroy();
    await cancelled;
    expect(heard()).toBe(0);
  });

  test("is cut where the stream fails that it is sent", async () => {
    const fail: HttpHandler = async () => ({
      status: 200,
      headers: {},
      body: new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Uint8Array.of(65)),
        pull: (controller) => controller.error(new Error("of the source")),
      }),
    });
    const { port } = await listen({ "/api/x": fail });
    const client = await open(port);
    client.send(toPost("{}"));
    await expect(client.until(endsWith("0\r\n\r\n"))).rejects.toThrow("The connection ended");
  });
});

describe("the end", () => {
  test("ends what is idle, and what is under way with its answer", async () => {
    let release: () => void = () => undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow: HttpHandler = (request) =>
      new Promise((resolve) => {
        release = () => resolve(echo(request));
        begin();
      });
    const { port, close } = await listen({ "/api/x": echo, "/api/slow": slow });
    const idle = await open(port);
    idle.send(toPost("idle"));
    await idle.until(endsWith("idle"));
    const busy = await open(port);
    busy.send(toPost("busy", "", "/api/slow"));
    await begun;
    const closing = close();
    await new Promise((resolve) => idle.socket.once("close", resolve));
    release();
    expect(await busy.until(endsWith("busy"))).toContain("\r\nConnection: close\r\n");
    await closing;
  });

  test.each([
    ["says nothing", "", 1_000, [1, 0]],
    ["says half of it", toPost("{}").slice(0, -1), 1_000, [0, 1]],
    ["says nothing more", toPost("{}"), 2_000, [0, 0]],
  ])("of patience comes for a connection that %s", async (_name, text, timeoutMs, counts) => {
    let silent = 0;
    let handedOver = 0;
    const posts = createPlainPosts({
      findHandler: () => echo,
      bodyBytes: 1_000,
      firstByteTimeoutMs: 1_000,
      keepAliveTimeoutMs: 2_000,
      handOver(socket) {
        handedOver++;
        socket.destroy();
      },
      refuseSilent(socket) {
        silent++;
        socket.destroy();
      },
    });
    const server = createTcpServer({ allowHalfOpen: true });
    const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
    server.on("connection", posts.take).listen(0);
    closers.push(() => server.close());
    const client = await open((server.address() as AddressInfo).port);
    client.send(text);
    const socket = await accepted;
    await waitUntil(() => socket.bytesRead === text.length && (text !== toPost("{}") || socket.bytesWritten > 0));
    // Which timer runs is what counts; that it ends is not waited for.
    expect(socket.timeout).toBe(timeoutMs);
    socket.emit("timeout");
    await new Promise((resolve) => client.socket.once("close", resolve));
    expect([silent, handedOver]).toEqual(counts);
  });
});

describe("a head", () => {
  const notPlain = [
    "content-length: 05",
    "content-length: +5",
    "content-length: 5, 5",
    "content-length: 0x5",
    "content-length : 5",
    "content-length: 5",
    "host: y",
    "connection: close",
    "connection: keep-alive, close",
    "connection: upgrade",
    "proxy-connection: close",
    "transfer-encoding: chunked",
    "Transfer-Encoding: identity",
    "upgrade: h2c",
    "expect: 100-continue",
    "set-cookie: a=b",
    " folded: 1",
    "user-agent: é",
    "x\u0000: 1",
    "x-a: b\rc: d",
    "x-a: b\nc: d",
    ": empty",
    "no colon",
    "__proto__: 1",
  ];
  const mayBePlain = [
    "Host: localhost",
    "Content-Length:5",
    "Connection: keep-alive",
    "connection: Keep-Alive ",
    "accept: */*",
    "x-a: b  c\td ",
    "x-a:",
    "x-a: \t ",
    "x_b: 1",
    "cookie: a=b",
    "constructor: 1",
  ];
  const bytes = ["\r", "\n", "\r\n", "\0", " ", "\t", ":", ",", "\u000b", "\u007f", "é", "0", "chunked", "-"];
  const host5 = ["host: x", "content-length: 5"];
  const heads = fc
    .record({
      first: fc.constantFrom(
        ...Array.from({ length: 6 }, () => "POST /api/x HTTP/1.1"),
        "POST /api/x?a=b&c=%20 HTTP/1.1",
        "POST //x HTTP/1.1",
        "POST /a#b HTTP/1.1",
        "POST /api/x HTTP/1.0",
        "POST /api/x  HTTP/1.1",
        "POST * HTTP/1.1",
        "post /api/x HTTP/1.1",
        "GET /api/x HTTP/1.1",
      ),
      usual: fc.constantFrom(...[["host: x"], ["content-length: 5"], ...Array.from({ length: 5 }, () => host5)]),
      more: fc.array(fc.constantFrom(...notPlain, ...mayBePlain, ...mayBePlain, ...mayBePlain), { maxLength: 3 }),
      at: fc.nat(),
      inserted: fc.option(fc.constantFrom(...bytes), { freq: 2 }),
    })
    .map(({ first, usual, more, at, inserted }) => {
      const text = [first, ...usual, ...more].join("\r\n");
      const place = at % text.length;
      return inserted === null ? text : text.slice(0, place) + inserted + text.slice(place);
    });

  test("that is read means to node:http what it means here", async () => {
    type Heard = { method?: string | undefined; url?: string | undefined; headers: unknown; body: string };
    let heard: Heard[] = [];
    const read = async (req: IncomingMessage) => {
      const { method, url, headers } = req;
      const request = { method, url, headers: { ...headers }, body: "" };
      heard.push(request);
      for await (const part of req) request.body += (part as Buffer).toString("latin1");
    };
    const server = createServer((req, res) => void read(req).then(() => res.end()));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(heads, async (text) => {
        const head = readPlainHead(text);
        if (!head || head.bodyLength > 1_000) return;
        plain++;
        heard = [];
        const client = await open(port);
        const body = "x".repeat(head.bodyLength);
        client.send(`${text}\r\n\r\n${body}GET /end HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
        await new Promise((resolve) => client.socket.once("close", resolve));
        const { method, path, search, headers } = head;
        const url = search === "" ? path : `${path}?${search}`;
        expect(heard).toEqual([
          { method, url, headers: { ...headers }, body },
          { method: "GET", url: "/end", headers: { host: "x", connection: "close" }, body: "" },
        ]);
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  const usual = "POST /api/x HTTP/1.1\r\nhost: x\r\ncontent-length: 5";
  test("of the usual kind is read", () => {
    expect(readPlainHead(`${usual}\r\nA: b\r\nConnection: Keep-Alive`)).toMatchObject({
      path: "/api/x",
      bodyLength: 5,
      headers: { a: "b", host: "x" },
    });
  });
  test.each(notPlain)("with %j beside the usual is left to node:http", (line) => {
    expect(readPlainHead(`${usual}\r\n${line}`)).toBe(undefined);
  });
  test.each([
    "POST /api/x HTTP/1.1\r\nhost: x",
    "POST /api/x HTTP/1.1\r\ncontent-length: 5",
    `${usual}\r\n${Array.from({ length: 100 }, (_, at) => `x-${at}: 1`).join("\r\n")}`,
  ])("that lacks what it needs, or has too much, is left to node:http", (text) => {
    expect(readPlainHead(text)).toBe(undefined);
  });
});
