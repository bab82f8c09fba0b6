/** Tests routes in the form that a Next.js build writes: their targets, parameters, headers and status. */
import { expect, it } from "vitest";
import { assertUnderstood, type OutputRoute, type RoutedRequest, resolveRoute } from "@/server/tools/deploy/routing";

const routes: OutputRoute[] = [
  { src: "^(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))/$", headers: { Location: "/$1" }, status: 308, continue: true },
  { src: "^/.*$", headers: { "X-Frame-Options": "DENY" }, continue: true },
  {
    src: "^/(?!api/).*$",
    missing: [{ type: "header", key: "x-skip", value: "yes" }],
    middlewarePath: "/_middleware",
    continue: true,
    override: true,
  },
  {
    src: "^/((?!.+\\.rsc).+?)(?:/)?$",
    has: [{ type: "header", key: "rsc", value: "1" }],
    dest: "/$1.rsc",
    headers: { vary: "rsc" },
    continue: true,
    override: true,
  },
  { handle: "filesystem" },
  { src: "/\\.rsc$", dest: "/index.rsc", check: true },
  { handle: "resource" },
  { src: "/.*", status: 404 },
  { handle: "miss" },
  { src: "/_next/static/.+", status: 404, check: true, dest: "/_next/static/not-found.txt" },
  { handle: "rewrite" },
  { src: "^/api/(?<nxtPpath>.+?)(?:/)?$", dest: "/api/[...path]?nxtPpath=$nxtPpath", check: true },
  {
    src: "^/(?<nxtPnetwork>[^/]+?)(?<rscSuffix>\\.rsc)(?:/)?$",
    dest: "/[network]$rscSuffix?nxtPnetwork=$nxtPnetwork",
    check: true,
  },
  { src: "^/(?<nxtPnetwork>[^/]+?)(?:/)?$", dest: "/[network]?nxtPnetwork=$nxtPnetwork", check: true },
  { handle: "hit" },
  { src: "/_next/static/(?:chunks)/.+", headers: { "cache-control": "immutable" }, continue: true },
  { handle: "error" },
  { src: "/.*", dest: "/_not-found", status: 404 },
];
const names = new Set([
  ...["index", "index.rsc", "api/[...path]", "[network]", "[network].rsc", "_not-found"],
  ...["_next/static/chunks/a.js", "_next/static/not-found.txt"],
]);

async function resolve(path: string, headers: Record<string, string> = {}, query = "") {
  const seen: string[] = [];
  const request: RoutedRequest = { method: "GET", path, query: new URLSearchParams(query), headers };
  const resolution = await resolveRoute(routes, request, {
    has: (name) => names.has(name),
    async runMiddleware(name, { headers: sent }) {
      seen.push(name);
      return { kind: "next", headers: { ...sent, "x-nonce": "n" }, responseHeaders: { policy: "p" } };
    },
  });
  return { resolution, seen };
}

it("routes a path to its function and adds the parameters to the query", async () => {
  const { resolution } = await resolve("/api/rpc/testnet", {}, "a=1");
  expect(resolution).toMatchObject({ kind: "found", name: "api/[...path]", status: undefined });
  if (resolution.kind !== "found") throw new Error("The path was not found.");
  expect(Object.fromEntries(resolution.request.query)).toEqual({ a: "1", nxtPpath: "rpc/testnet" });
  expect(resolution.headers).toEqual({ "x-frame-options": "DENY" });
});

it("runs the middleware if a route matches, and passes its changes on", async () => {
  const page = await resolve("/testnet");
  expect(page.seen).toEqual(["/_middleware"]);
  expect(page.resolution).toMatchObject({ name: "[network]", request: { headers: { "x-nonce": "n" } } });
  expect(page.resolution).toMatchObject({ headers: { policy: "p" } });
  expect((await resolve("/api/health")).seen).toEqual([]);
  expect((await resolve("/testnet", { "x-skip": "yes" })).seen).toEqual([]);
});

it("distinguishes client-side navigations by their header", async () => {
  expect((await resolve("/testnet", { rsc: "1" })).resolution).toMatchObject({
    name: "[network].rsc",
    headers: { vary: "rsc" },
  });
  expect((await resolve("/")).resolution).toMatchObject({ name: "index" });
});

it("serves files with their headers, and a 404 instead of a page for a missing file", async () => {
  expect((await resolve("/_next/static/chunks/a.js")).resolution).toMatchObject({
    name: "_next/static/chunks/a.js",
    status: undefined,
    headers: { "cache-control": "immutable" },
  });
  expect((await resolve("/_next/static/chunks/b.js")).resolution).toMatchObject({
    name: "_next/static/not-found.txt",
    status: 404,
  });
});

it("redirects, and serves the not-found page for an unknown path", async () => {
  expect((await resolve("/testnet/")).resolution).toMatchObject({
    kind: "redirect",
    status: 308,
    location: "/testnet",
  });
  expect((await resolve("/a/b/c")).resolution).toMatchObject({ kind: "found", name: "_not-found", status: 404 });
});

it("rejects a build with unsupported routes", () => {
  expect(() => assertUnderstood(routes)).not.toThrow();
  expect(() => assertUnderstood([{ src: "/", mitigate: { action: "deny" } } as OutputRoute])).toThrow(/mitigate/);
});
