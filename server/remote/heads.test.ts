import { afterEach, expect, it, vi } from "vitest";
import { followHeads, type Heads, type WireHead } from "@/server/remote/heads";

const first = { number: "0x1", hash: "0x01" } as unknown as WireHead;

let heads: Heads | undefined;
afterEach(() => heads?.close());

it("reports how long the node has been silent, until it responds again", async () => {
  const startMs = Date.now();
  let isDown = true;
  let unanswered = 0;
  const request = async () => {
    if (!isDown) return first;
    if (unanswered++ === 0) throw new Error("refused");
    // Accepts the request, but doesn't respond while the node is down. Closing doesn't wait for the response.
    await vi.waitUntil(() => !isDown, { timeout: 60_000 });
    return first;
  };
  const returned = new Promise<void>((resolve) => {
    heads = followHeads({ request, first, pollMs: 1, onOutage: () => undefined, onReturn: resolve });
  });
  expect(heads?.findSilence()).toBeUndefined();
  await vi.waitUntil(() => unanswered === 2, { timeout: 60_000 });
  expect(heads?.findSilence()).toBeGreaterThanOrEqual(startMs);
  isDown = false;
  await returned;
  await vi.waitUntil(() => heads?.findSilence() === undefined, { timeout: 60_000 });
});
