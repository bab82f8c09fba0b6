/**
 * Tests the conversion between Web requests and the handlers' own types. The same rules apply as for node:http
 * requests.
 */
import { expect, test } from "vitest";
import { createAccess } from "@/server/http/access";
import { answerWebRequest } from "@/server/http/nextAdapter";
import type { HttpHandler } from "@/server/http/types";

const echo: HttpHandler = async ({ method, path, query, headers, body, origin }) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ method, path, query: [...query], type: headers["content-type"], length: body.length, origin }),
});

test("a request reaches its handler complete", async () => {
  const request = new Request("https://tollscan.example/api/echo?a=1", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  const answer = await answerWebRequest(echo, request, 100);
  expect(await answer.json()).toEqual({
    method: "POST",
    path: "/api/echo",
    query: [["a", "1"]],
    type: "application/json",
    length: 2,
    origin: "https://tollscan.example",
  });
});

test("an oversized body is truncated one byte past the limit", async () => {
  const request = new Request("http://localhost/api/echo", { method: "POST", body: "x".repeat(1_000_000) });
  expect(await (await answerWebRequest(echo, request, 100)).json()).toMatchObject({ length: 101 });
});

test("HEAD gets the headers of GET and no body", async () => {
  const answer = await answerWebRequest(echo, new Request("http://localhost/api/echo", { method: "HEAD" }), 100);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.text()).toBe("");
});

test("a 204 has no body, a stream is passed through, and an exception becomes a 500 without details", async () => {
  const request = () => new Request("http://localhost/api/x");
  const empty = await answerWebRequest(async () => ({ status: 204, headers: {}, body: "" }), request(), 100);
  expect(empty.status).toBe(204);
  const stream = new Blob(["events"]).stream() as ReadableStream<Uint8Array>;
  const streamed = await answerWebRequest(async () => ({ status: 200, headers: {}, body: stream }), request(), 100);
  expect(await streamed.text()).toBe("events");
  const failed = await answerWebRequest(() => Promise.reject(new Error("secret detail")), request(), 100);
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain("secret");
});

test("lets only pages of a listed origin use dev controls, because no address shows whether a caller is local", async () => {
  const access = createAccess({ hosts: [], origins: ["https://tollscan.example"], anyAddress: false });
  const tell: HttpHandler = ({ mayControl }) => ({ status: 200, headers: {}, body: String(mayControl) });
  const ask = async (headers: Record<string, string>, rules?: typeof access) => {
    const request = new Request("http://localhost/api/rpc", { headers: { host: "localhost", ...headers } });
    return (await answerWebRequest(tell, request, 100, rules)).text();
  };
  expect(await ask({ origin: "https://tollscan.example" }, access)).toBe("true");
  expect(await ask({ origin: "https://evil.example" }, access)).toBe("false");
  expect(await ask({ origin: "http://localhost:3000" }, access)).toBe("false");
  expect(await ask({}, access)).toBe("false");
  expect(await ask({ origin: "https://tollscan.example" })).toBe("false");
});
