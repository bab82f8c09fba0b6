/**
 * Tests the platform with a small built project: a function under two names, a middleware and a file. The functions run
 * in real, separate processes that only have the uploaded files.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listContent, readOutput } from "@/server/tools/deploy/output";
import { type Platform, startPlatform } from "@/server/tools/deploy/platform";

const folder = mkdtempSync(join(tmpdir(), "tollscan-platform-"));
const root = join(folder, "project");
const launcher = `
const { greet } = require("./lib/greet.cjs");
const { existsSync } = require("node:fs");
module.exports = async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify({
    greeting: greet(process.env.NAME), pid: process.pid, url: req.url, matched: req.headers["x-matched-path"],
    nonce: req.headers["x-nonce"], body: Buffer.concat(chunks).toString(), secret: existsSync("secret.txt"),
    env: Object.keys(process.env),
  }));
};`;
const middleware = `module.exports = async (request) => {
  const headers = { "x-middleware-next": "1", "x-middleware-override-headers": "host,x-nonce",
    "x-middleware-request-host": "h", "x-middleware-request-x-nonce": "abc", policy: "strict" };
  return new URL(request.url).pathname === "/closed"
    ? new Response("closed", { status: 403 }) : new Response(null, { headers });
};`;
let platform: Platform;

function write(file: string, content: unknown) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), typeof content === "string" ? content : JSON.stringify(content));
}

beforeAll(async () => {
  const out = ".vercel/output";
  const node = { runtime: "nodejs24.x", launcherType: "Nodejs", handler: "launcher.cjs" };
  write("lib/greet.cjs", 'exports.greet = (name) => "hello " + name;');
  write("secret.txt", "not uploaded");
  write(`${out}/functions/page.func/launcher.cjs`, launcher);
  write(`${out}/functions/page.func/.vc-config.json`, { ...node, filePathMap: { "lib/greet.cjs": "lib/greet.cjs" } });
  symlinkSync("page.func", join(root, out, "functions/other.func"));
  write(`${out}/functions/_middleware.func/launcher.cjs`, middleware);
  write(`${out}/functions/_middleware.func/.vc-config.json`, { ...node, useWebApi: true });
  write(`${out}/static/a/file.txt`, "plain");
  write(`${out}/config.json`, {
    version: 3,
    routes: [
      { src: "^/(?:page|closed).*$", middlewarePath: "/_middleware", continue: true },
      { handle: "filesystem" },
      { handle: "rewrite" },
      { src: "^/page/(?<id>.+)$", dest: "/page?id=$id", check: true },
      { handle: "error" },
      { src: "/.*", status: 404, dest: "/other" },
    ],
  });
  platform = await startPlatform(root, readOutput(root), join(folder, "run"), { NAME: "Vercel" });
});
afterAll(async () => {
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${platform.origin}${path}`, init);
  return { response, body: (await response.json()) as Record<string, unknown> };
};

it("counts the uploaded bytes of a function once, even if it has several names", () => {
  const { functions } = readOutput(root);
  const page = functions.find(({ names }) => names.includes("page"));
  expect(page?.names.sort()).toEqual(["other", "page"]);
  expect(page?.bytes).toBe(launcher.length + readFileSync(join(root, "lib/greet.cjs")).length);
});

it("runs a function with its files, its settings and the middleware's headers, isolated from this process", async () => {
  const { response, body } = await ask("/page/7?a=1", { method: "POST", body: "sent" });
  expect(response.headers.get("policy")).toBe("strict");
  expect(body).toMatchObject({
    greeting: "hello Vercel",
    url: "/page/7?a=1&id=7",
    matched: "/page",
    nonce: "abc",
    body: "sent",
    secret: false,
  });
  expect(body.env).toEqual(expect.arrayContaining(["VERCEL", "NAME", "TMPDIR"]));
  expect(body.env).not.toContain("POSTGRES_TEST_RUN");
});

it("lets the middleware respond, serves files, and returns the build's own 404 page", async () => {
  const closed = await fetch(`${platform.origin}/closed`);
  expect([closed.status, await closed.text()]).toEqual([403, "closed"]);
  const file = await fetch(`${platform.origin}/a/file.txt`);
  expect([file.headers.get("content-type"), await file.text()]).toEqual(["text/plain; charset=utf-8", "plain"]);
  expect((await fetch(`${platform.origin}/a/../../config.json`)).status).toBe(404);
  expect((await ask("/nowhere")).response.status).toBe(404);
});

it.skipIf(process.platform !== "linux")("stops a function between requests and wakes it for the next", async () => {
  const { body } = await ask("/page");
  const state = () => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${body.pid}/status`, "utf8"))?.[1];
  for (let tries = 0; state() !== "T" && tries < 200; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(state()).toBe("T");
  expect((await ask("/other")).body.pid).toBe(body.pid);
});

it("detects a new file in a function's folder", () => {
  const [unpacked = ""] = platform.folders;
  const before = listContent(unpacked);
  expect(listContent(unpacked)).toEqual(before);
  writeFileSync(join(unpacked, "written"), "");
  expect(listContent(unpacked)).not.toEqual(before);
});
