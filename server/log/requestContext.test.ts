/** Tests that a request's ID is in the response and in every log line that the request causes. */
import { afterEach, expect, it, vi } from "vitest";
import { createListener } from "@/server/http/listener";
import { answerWebRequest } from "@/server/http/nextAdapter";
import type { HttpHandler } from "@/server/http/types";
import { log } from "@/server/log/log";

const failing: HttpHandler = async () => {
  await new Promise((resolve) => setImmediate(resolve));
  log.warn("on the way");
  throw new Error("broken");
};

afterEach(() => vi.restoreAllMocks());

async function ask(headers: Record<string, string>): Promise<{ response: Response; lines: string[] }> {
  const written = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const site = Promise.resolve({ findHandler: () => failing });
  const listener = await createListener({ port: 0, bodyBytes: 1_000, site });
  const response = await fetch(`http://127.0.0.1:${listener.port}/api/x`, { headers });
  await listener.close();
  return { response, lines: written.mock.calls.map(([line]) => String(line).split("\n")[0]!) };
}

it("adds the ID to the response and to every log line, even for requests behind Next", async () => {
  const { response, lines } = await ask({ "x-request-id": "a1:b2-c3" });
  expect([response.status, response.headers.get("x-request-id")]).toEqual([500, "a1:b2-c3"]);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain(" request=a1:b2-c3");

  const written = vi.spyOn(console, "error").mockImplementation(() => undefined);
  written.mockClear();
  const web = new Request("http://x/api/x", { headers: { "x-vercel-id": "fra1::abc" } });
  expect((await answerWebRequest(failing, web, 1_000)).status).toBe(500);
  expect(written.mock.calls.map(([line]) => String(line).includes(" request=fra1::abc"))).toEqual([true, true]);
});

it("ignores an ID that would forge a log line", async () => {
  const { response, lines } = await ask({ "x-request-id": 'x" level=error', "cf-ray": "8f1-FRA" });
  expect(response.headers.get("x-request-id")).toBe("8f1-FRA");
  for (const line of lines) expect(line).not.toContain("level=");
});
