/**
 * Tests how the production server sends scripts and styles: compressed in advance, and only for exact paths. Requests
 * for any other path, or from a client that doesn't accept Brotli, are left to Next.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressBuild } from "@/server/bin/prepare.mjs";
import { createStaticFiles, takesBrotli } from "@/server/http/staticFiles";

const script = "export const words = 'the same words again and again and again';\n".repeat(40);
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-static-"));
  mkdirSync(join(folder, "chunks"));
  writeFileSync(join(folder, "chunks", "a.js"), script);
  writeFileSync(join(folder, "chunks", "large.js"), script.repeat(20));
  writeFileSync(join(folder, "chunks", "b.css"), "a{color:red}");
  writeFileSync(join(folder, "chunks", "font.woff2"), "font");
  await compressBuild(folder);
  writeFileSync(join(folder, "secret.txt.br"), "secret");
  const answer = createStaticFiles(folder);
  server = createServer((req, res) => {
    if (!answer(req, res)) res.writeHead(404).end("the pages");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

type Answer = { status: number; headers: Record<string, unknown>; body: Buffer };

/** Sends the path exactly as given. `fetch` would normalize it. */
function ask(path: string, encoding = "gzip, deflate, br, zstd", method = "GET"): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path, method, headers: { "accept-encoding": encoding } }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    });
    outgoing.on("error", reject).end();
  });
}

test("sends the compressed copy and lets clients cache it forever", async () => {
  const { status, headers, body } = await ask("/_next/static/chunks/a.js?dpl=1");
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "application/javascript; charset=UTF-8",
    "content-encoding": "br",
    "content-length": String(body.length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
  });
  expect(brotliDecompressSync(body).toString()).toBe(script);
  expect(body.length).toBeLessThan(script.length / 10);
  expect((await ask("/_next/static/chunks/b.css")).headers["content-type"]).toBe("text/css; charset=UTF-8");
});

test("responds to HEAD with the same headers and no body", async () => {
  const { headers, body } = await ask("/_next/static/chunks/a.js", "br", "HEAD");
  expect(headers["content-encoding"]).toBe("br");
  expect(body.length).toBe(0);
});

test("leaves every other request to the pages", async () => {
  const cases: [path: string, encoding?: string, method?: string][] = [
    ["/_next/static/chunks/a.js", "gzip"],
    ["/_next/static/chunks/a.js", "br;q=0, gzip"],
    ["/_next/static/chunks/a.js", "br", "POST"],
    ["/_next/static/chunks/a.js.br"],
    ["/_next/static/chunks/font.woff2"],
    ["/_next/static/secret.txt"],
    ["/_next/static/chunks/../secret.txt"],
    ["/_next/static/../static/chunks/a.js"],
    ["/chunks/a.js"],
    ["/"],
  ];
  for (const [path, encoding, method] of cases) {
    const { status, body } = await ask(path, encoding, method);
    expect([path, status, body.toString()]).toEqual([path, 404, "the pages"]);
  }
});

test("doesn't serve anything without a build", () => {
  const answer = createStaticFiles(join(folder, "nowhere"));
  expect(
    answer(
      { method: "GET", url: "/_next/static/chunks/a.js", headers: { "accept-encoding": "br" } } as never,
      {} as never,
    ),
  ).toBe(false);
});

test("respects Accept-Encoding", () => {
  expect([undefined, "", "gzip", "br;q=0", "br; q=0.000", "brotli"].map(takesBrotli)).toEqual(Array(6).fill(false));
  expect(["br", "gzip, br", "gzip;q=1, BR;q=0.8"].map(takesBrotli)).toEqual(Array(3).fill(true));
});

test("a large script starts with a compile hint, and a small one does not", async () => {
  const large = await ask("/_next/static/chunks/large.js");
  expect(brotliDecompressSync(large.body).toString()).toBe(`//# allFunctionsCalledOnLoad\n${script.repeat(20)}`);
  const small = await ask("/_next/static/chunks/a.js");
  expect(brotliDecompressSync(small.body).toString()).toBe(script);
});
