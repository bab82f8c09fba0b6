/**
 * Tests the guard against real servers on this machine. The tests turn on the option that allows loopback, and use
 * their own name resolution.
 */
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createGuardedFetch, type GuardedFetchOptions } from "@/server/http/guardedFetch";
import { GuardedFetchError, type Resolve } from "@/server/http/guardedUrl";
import { testCertificate, testKey } from "@/server/http/testing/certificate";

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          if ("closeAllConnections" in server) (server as { closeAllConnections(): void }).closeAllConnections();
        }),
    ),
  );
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => listen(createServer(listener));

/** Sends raw bytes as the response. Also consumes the request, because the connection can't end with unread data. */
const serveTcp = (answer: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => answer(socket.on("error", () => undefined).resume())));

const toHere: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];

/** A fetch that may send requests to this machine under any host name. */
const open = (options: Partial<GuardedFetchOptions> = {}) =>
  createGuardedFetch({ allowLoopback: true, resolve: toHere, ...options });

/** A fetch configured as in production. */
const guarded = (resolve: Resolve = toHere) => createGuardedFetch({ allowLoopback: false, resolve });

async function refusal(promise: Promise<unknown>): Promise<GuardedFetchError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GuardedFetchError);
  return error as GuardedFetchError;
}

const text = (body: Uint8Array) => new TextDecoder().decode(body);

describe("an allowed request", () => {
  it("sends method, headers and body to the checked address with the original Host", async () => {
    const port = await serve((req, res) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk) => chunks.push(chunk));
      req.on("end", () => {
        res.setHeader("x-paid", "yes");
        res.setHeader("set-cookie", "session=1");
        res.writeHead(402, { "payment-required": "e30=" });
        res.end(
          JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body: `${Buffer.concat(chunks)}` }),
        );
      });
    });
    const answer = await open()(`http://shop.test:${port}/a%20b?c=d#e`, {
      method: "post",
      headers: {
        "Payment-Signature": "abc",
        Cookie: "a=b",
        Host: "other",
        "X-Forwarded-For": "1.1.1.1",
        Connection: "upgrade",
      },
      body: "hello",
    });
    expect(answer).toMatchObject({
      status: 402,
      url: `http://shop.test:${port}/a%20b?c=d`,
      address: "127.0.0.1",
      redirects: [],
      headers: { "payment-required": "e30=", "x-paid": "yes" },
    });
    for (const name of ["set-cookie", "connection", "transfer-encoding"])
      expect(answer.headers).not.toHaveProperty(name);
    const seen = JSON.parse(text(answer.body));
    expect(seen).toMatchObject({ method: "POST", url: "/a%20b?c=d", body: "hello" });
    expect(seen.headers).toMatchObject({
      host: `shop.test:${port}`,
      "payment-signature": "abc",
      "content-length": "5",
    });
    expect(Object.keys(seen.headers)).not.toContain("cookie");
    expect(Object.keys(seen.headers)).not.toContain("x-forwarded-for");
    expect(answer.totalMs).toBeGreaterThanOrEqual(answer.headersMs);
  });

  it("resolves a name once, so that a second DNS response cannot redirect the connection", async () => {
    const port = await serve((_req, res) => res.end("the checked one"));
    let asked = 0;
    const rebinding: Resolve = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    const answer = await open({ resolve: rebinding })(`http://rebind.test:${port}/`);
    expect([asked, answer.address, text(answer.body)]).toEqual([1, "127.0.0.1", "the checked one"]);
  });

  it("checks the certificate against the name, not the address", async () => {
    const port = await listen(createTlsServer({ key: testKey, cert: testCertificate }, (_req, res) => res.end("safe")));
    const fetchTrusting = open({ ca: testCertificate });
    expect(text((await fetchTrusting(`https://server.test:${port}/`)).body)).toBe("safe");
    const misnamed = await refusal(fetchTrusting(`https://other.test:${port}/`));
    expect([misnamed.reason, misnamed.message]).toEqual([
      "unreachable",
      "The URL is unreachable (ERR_TLS_CERT_ALTNAME_INVALID).",
    ]);
    expect((await refusal(open()(`https://server.test:${port}/`))).reason).toBe("unreachable");
  });
});

describe("before anything is sent, the guard", () => {
  it.each([
    ["ftp://example.com/", "invalid_url"],
    ["file:///etc/passwd", "invalid_url"],
    ["javascript:alert(1)", "invalid_url"],
    ["example.com", "invalid_url"],
    ["", "invalid_url"],
    ["http://", "invalid_url"],
    [`https://example.com/${"a".repeat(2048)}`, "invalid_url"],
    ["http://user:secret@example.com/", "invalid_url"],
    ["http://user@example.com/", "invalid_url"],
    ["http://example.com:22/", "refused_port"],
    ["http://example.com:25/", "refused_port"],
    ["http://example.com:6379/", "refused_port"],
    ["http://example.com:2375/", "refused_port"],
    ["http://127.0.0.1/", "refused_address"],
    ["http://2130706433/", "refused_address"],
    ["http://0x7f.1/", "refused_address"],
    ["http://0177.0.0.1/", "refused_address"],
    ["http://127.1/", "refused_address"],
    ["http://127。0。0。1/", "refused_address"],
    ["http://[::1]/", "refused_address"],
    ["http://[::ffff:127.0.0.1]/", "refused_address"],
    ["http://[::ffff:a9fe:a9fe]/", "refused_address"],
    ["http://[64:ff9b::a9fe:a9fe]/", "refused_address"],
    ["http://[2002:a9fe:a9fe::]/", "refused_address"],
    ["http://[fd00:ec2::254]/", "refused_address"],
    ["http://169.254.169.254/latest/meta-data/", "refused_address"],
    ["http://0.0.0.0:8545/", "refused_address"],
    ["http://10.0.0.1/", "refused_address"],
  ])("refuses %s with %s", async (url, reason) => {
    const never: Resolve = () => Promise.reject(new Error("no name should be resolved"));
    const error = await refusal(guarded(never)(url));
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(/^[^ ].* .*\.$/);
    expect(error.message).not.toContain("secret");
  });

  it("rejects a name with a non-public address without revealing it, and rejects an unknown name", async () => {
    const mixed: Resolve = async () => [
      { address: "93.184.215.14", family: 4 },
      { address: "fd00::1", family: 6 },
    ];
    const error = await refusal(guarded(mixed)("http://mixed.test/"));
    expect([error.reason, error.message]).toEqual([
      "refused_address",
      "mixed.test resolves to an address that is not public; only public addresses are allowed.",
    ]);
    expect((await refusal(guarded()("http://localhost:3000/"))).reason).toBe("refused_address");
    expect((await refusal(guarded(async () => [])("http://empty.test/"))).reason).toBe("unknown_host");
    const failing: Resolve = () => Promise.reject(new Error("ENOTFOUND"));
    expect((await refusal(guarded(failing)("http://unknown.test/"))).reason).toBe("unknown_host");
  });

  it("refuses all addresses of this server", async () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
    for (const address of own) {
      const family = address.includes(":") ? 6 : 4;
      const error = await refusal(guarded(async () => [{ address, family }])("http://self.test/"));
      expect(error.reason).toBe("refused_address");
    }
  });

  it("refuses other internal addresses even if loopback is allowed", async () => {
    for (const address of ["10.0.0.1", "169.254.169.254", "192.168.0.1", "0.0.0.0"]) {
      const resolve: Resolve = async () => [{ address, family: 4 }];
      expect((await refusal(open({ resolve })("http://inside.test/"))).reason).toBe("refused_address");
    }
    for (const host of ["[::ffff:127.0.0.1]", "[::]", "0"]) {
      expect((await refusal(open()(`http://${host}/`))).reason).toBe("refused_address");
    }
  });

  it.each([
    [{ method: "CONNECT" }],
    [{ method: "GET\r\nX: y" }],
    [{ headers: { "a b": "c" } }],
    [{ headers: { a: "b\r\nc: d" } }],
    [{ headers: { a: "☃" } }],
    [{ headers: { a: "b".repeat(40_000) } }],
    [{ body: "for a GET" }],
  ])("refuses the request %o", async (request) => {
    expect((await refusal(open()("http://shop.test/", request))).reason).toBe("invalid_request");
  });
});

describe("a caller on this machine", () => {
  it("may request localhost, but no other name that resolves to this machine", async () => {
    const port = await serve((_request, response) => response.end("mine"));
    const fetchGuarded = guarded();
    for (const host of ["localhost", "127.0.0.1"]) {
      const answer = await fetchGuarded(`http://${host}:${port}/`, { allowLoopback: true });
      expect(text(answer.body)).toBe("mine");
    }
    const inside = await refusal(fetchGuarded("http://10.0.0.5/", { allowLoopback: true }));
    expect(inside.message).toBe("10.0.0.5 is a private address; only public addresses and localhost are allowed.");
    const rebound = fetchGuarded(`http://shop.test:${port}/`, { allowLoopback: true });
    expect(await refusal(rebound)).toMatchObject({ reason: "refused_address" });
    expect(await refusal(fetchGuarded(`http://localhost:${port}/`))).toMatchObject({ reason: "refused_address" });
  });
});

describe("redirects", () => {
  it("are followed on the same host, with the method that the status requires", async () => {
    const seen: string[] = [];
    const port = await serve((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers["content-type"] ?? "-"} ${req.headers["x-kept"]}`);
      const next: Record<string, [number, string]> = { "/": [307, "/b"], "/b": [302, `http://shop.test:${port}/c`] };
      const [status, location] = next[req.url ?? ""] ?? [200];
      res.writeHead(status, location === undefined ? {} : { location });
      res.end("end");
    });
    const answer = await open()(`http://shop.test:${port}/`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", "x-kept": "yes" },
    });
    expect(seen).toEqual(["POST / application/json yes", "POST /b application/json yes", "GET /c - yes"]);
    expect(answer.redirects).toEqual([`http://shop.test:${port}/`, `http://shop.test:${port}/b`]);
    expect([answer.status, answer.url]).toEqual([200, `http://shop.test:${port}/c`]);
  });

  it.each([
    ["http://127.0.0.1/", "refused_redirect"],
    ["http://169.254.169.254/latest/", "refused_redirect"],
    ["//other.test/", "refused_redirect"],
    ["http://shop.test:1/", "refused_port"],
    ["http://shop.test:8081/", "refused_redirect"],
    ["file:///etc/passwd", "invalid_url"],
    ["http://[", "refused_redirect"],
    ["/", "refused_redirect"],
  ])("are not followed to %s (%s)", async (location, reason) => {
    let asked = 0;
    const port = await serve((_req, res) => {
      asked += 1;
      res.writeHead(302, { location });
      res.end();
    });
    expect((await refusal(open()(`http://shop.test:${port}/`))).reason).toBe(reason);
    expect(asked).toBe(location === "/" ? 4 : 1);
  });

  it("make the guard resolve and check the name again", async () => {
    const port = await serve((_req, res) => {
      res.writeHead(302, { location: "/inside" });
      res.end();
    });
    let asked = 0;
    const turning: Resolve = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }];
    expect((await refusal(open({ resolve: turning })(`http://shop.test:${port}/`))).reason).toBe("refused_address");
  });

  it("are refused from https to http", async () => {
    const port = await listen(
      createTlsServer({ key: testKey, cert: testCertificate }, (_req, res) => {
        res.writeHead(302, { location: `http://server.test:${port}/` });
        res.end();
      }),
    );
    const error = await refusal(open({ ca: testCertificate })(`https://server.test:${port}/`));
    expect([error.reason, error.message]).toEqual(["refused_redirect", "The URL redirects from https to http."]);
  });
});

describe("the limits of a fetch", () => {
  it("reject a response that is too large, whether or not it declares its length or is compressed", async () => {
    const port = await serve((req, res) => {
      if (req.url === "/announced") res.setHeader("content-length", 2_000);
      if (req.url === "/bomb") {
        res.setHeader("content-encoding", "gzip");
        res.end(gzipSync(Buffer.alloc(10_000_000)));
      } else res.end("x".repeat(2_000));
    });
    const fetchSmall = open({ maxBytes: 1_000 });
    for (const path of ["announced", "streamed", "bomb"]) {
      expect((await refusal(fetchSmall(`http://shop.test:${port}/${path}`))).reason).toBe("too_large");
    }
    expect((await open({ maxBytes: 2_000 })(`http://shop.test:${port}/streamed`)).body).toHaveLength(2_000);
    const asked = await refusal(open()(`http://shop.test:${port}/streamed`, { maxBytes: 100 }));
    expect(asked.message).toBe("The response exceeds 100 bytes.");
  });

  it("apply to encoded content: known encodings are decoded even if not requested, and others are rejected", async () => {
    const codings: Record<string, (text: string) => Buffer> = {
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zebra: Buffer.from,
    };
    const port = await serve((req, res) => {
      const coding = req.url?.slice(1) ?? "";
      res.setHeader("content-encoding", coding);
      res.end(codings[coding]?.("same"));
    });
    for (const coding of ["gzip", "deflate", "br"]) {
      expect(text((await open()(`http://shop.test:${port}/${coding}`)).body)).toBe("same");
    }
    expect((await refusal(open()(`http://shop.test:${port}/zebra`))).reason).toBe("not_http");
  });

  it("end a request if the server is silent or very slow, or if the name never resolves", async () => {
    const port = await serve((req, res) => {
      if (req.url !== "/trickle") return;
      const timer = setInterval(() => res.write("."), 20);
      res.once("close", () => clearInterval(timer));
    });
    const fetchBriefly = open({ timeoutMs: 200 });
    for (const path of ["silent", "trickle"]) {
      expect((await refusal(fetchBriefly(`http://shop.test:${port}/${path}`))).reason).toBe("timeout");
    }
    const stuck: Resolve = () => new Promise(() => undefined);
    expect((await refusal(open({ timeoutMs: 50, resolve: stuck })("http://slow.test/"))).reason).toBe("timeout");
  });

  it("end a request if the caller disconnects, and bound the number of concurrent requests", async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const port = await serve(() => arrived());
    const fetchOne = open({ maxInFlight: 1 });
    const abort = new AbortController();
    const first = refusal(fetchOne(`http://shop.test:${port}/`, { signal: abort.signal }));
    await arrival;
    expect((await refusal(fetchOne(`http://shop.test:${port}/`))).reason).toBe("busy");
    abort.abort();
    expect((await first).reason).toBe("aborted");
    expect((await refusal(fetchOne("http://x.test:22/"))).reason).toBe("refused_port");
    expect((await refusal(fetchOne("http://x.test/", { signal: AbortSignal.abort() }))).reason).toBe("aborted");
  });

  it("come with a clear message if a server is unreachable or does not speak HTTP", async () => {
    const closed = await serve(() => undefined);
    await new Promise<void>((resolve) => servers.pop()?.close(() => resolve()));
    const refused = await refusal(open()(`http://shop.test:${closed}/`));
    expect([refused.reason, refused.message]).toEqual(["unreachable", "The URL is unreachable (ECONNREFUSED)."]);

    const tcp = await serveTcp((socket) => socket.end("220 mail.test ESMTP\r\n"));
    expect((await refusal(open()(`http://shop.test:${tcp}/`))).reason).toBe("not_http");
    const cut = await serveTcp((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
    expect((await refusal(open()(`http://shop.test:${cut}/`))).reason).toBe("unreachable");
    const upgrade = await serveTcp((socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
    );
    expect((await refusal(open()(`http://shop.test:${upgrade}/`))).reason).toBe("not_http");
    const oversize = await serve((_req, res) => {
      res.setHeader("x-long", "a".repeat(60_000));
      res.end();
    });
    expect((await refusal(open()(`http://shop.test:${oversize}/`))).reason).toBe("not_http");
  });
});
