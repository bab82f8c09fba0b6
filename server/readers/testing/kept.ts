/**
 * Kept connections to a server with readers, for tests that must know which process a connection is with.
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { ReaderState } from "@/server/readers/board";

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

/** One connection, over which requests go one after another. */
export type Kept = {
  agent: Agent;
  send(method: string, path: string, options?: { headers?: Record<string, string>; body?: string }): Promise<Answer>;
  /** The text that JSON-RPC of the test network answers. */
  post(body: unknown): Promise<string>;
  /** Rejects with the error's message. */
  rpc<T>(method: string, params?: unknown[]): Promise<T>;
  close(): void;
};

export function keep(port: number): Kept {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const json = { "content-type": "application/json" };

  const send: Kept["send"] = (method, path, { headers = {}, body = "" } = {}) =>
    new Promise((resolve, reject) => {
      const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const options = { host: "127.0.0.1", port, path, method, agent, headers: { ...headers, ...length } };
      const sent = request(options, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });

  const post: Kept["post"] = async (body) =>
    (await send("POST", "/api/rpc/testnet", { headers: json, body: JSON.stringify(body) })).text;
  return {
    agent,
    send,
    post,
    async rpc(method, params = []) {
      const { result, error } = JSON.parse(await post({ jsonrpc: "2.0", id: 1, method, params }));
      if (error) throw new Error(error.message);
      return result;
    },
    close: () => agent.destroy(),
  };
}

export async function listReaders(at: Kept): Promise<ReaderState[]> {
  return JSON.parse((await at.send("GET", "/api/health")).text).readers;
}

/** A connection that one of the readers has, or the main process. */
export async function openOn(which: "reader" | "main", port: number): Promise<Kept> {
  const asking = keep(port);
  const others = [asking];
  const count = async () => (await listReaders(asking)).reduce((sum, { accepted }) => sum + accepted, 0);
  try {
    for (let before = await count(); ; ) {
      const opened = keep(port);
      await opened.rpc("eth_chainId");
      const after = await count();
      if (which === (after > before ? "reader" : "main")) return opened;
      before = after;
      others.push(opened);
    }
  } finally {
    for (const other of others) other.close();
  }
}

/** Keeps so many connections with the main process, so that the next ones are the readers'. */
export async function crowdMain(count: number, port: number): Promise<() => void> {
  const crowd: Kept[] = [];
  while (crowd.length < count) crowd.push(await openOn("main", port));
  return () => {
    for (const each of crowd) each.close();
  };
}

/** Asks again until it is so. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 150));
}
