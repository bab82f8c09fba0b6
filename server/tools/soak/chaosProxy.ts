/**
 * A JSON-RPC proxy that injects faults from a seed: it rejects requests, delays or loses responses, and reports
 * failures that didn't happen. It never alters a request or the content of a forwarded response.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "@/lib/pause";
import { toInternalError } from "@/server/rpc/errors";

/** For each fault, the fraction of all requests that it affects. */
const faults = { gateway: 0.02, lost: 0.02, lie: 0.004, late: 0.05 };
const lateMs = 300;

export type ChaosProxy = { url: string; counts: Record<string, number>; calm(): void; close(): Promise<void> };

/** Starts a proxy in front of a node. After `calm()`, the proxy forwards everything. */
export async function startChaosProxy(target: string, random: () => number): Promise<ChaosProxy> {
  const counts: Record<string, number> = { gateway: 0, lost: 0, lie: 0, late: 0, passed: 0 };
  let isCalm = false;
  const pick = (): string => {
    let at = isCalm ? 1 : random();
    for (const [fault, share] of Object.entries(faults)) {
      if (at < share) return fault;
      at -= share;
    }
    return "passed";
  };
  const server = createServer(async (incoming, outgoing) => {
    const fault = pick();
    counts[fault] = (counts[fault] ?? 0) + 1;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (fault === "gateway") {
      outgoing.writeHead(502).end("bad gateway");
      return;
    }
    if (fault === "late") await pause(random() * lateMs);
    try {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(target, { method: "POST", headers, body: Buffer.concat(chunks) });
      const text = await answer.text();
      if (fault === "lost") outgoing.destroy();
      else if (fault === "lie") {
        const { code, message } = toInternalError();
        outgoing.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }));
      } else outgoing.writeHead(answer.status, headers).end(text);
    } catch {
      // The node itself is down.
      outgoing.writeHead(503).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    counts,
    calm() {
      isCalm = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
