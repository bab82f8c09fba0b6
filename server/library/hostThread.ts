/**
 * Manages the thread that runs host.ts. The thread starts with the first node and ends with the last one. It keeps the
 * process alive only while a request waits for it.
 */
import { Worker } from "node:worker_threads";
import { ConfigError } from "@/server/config/environment.mjs";
import type { FromHost, ToHost } from "@/server/library/host";
import type { Start } from "@/server/node/startBanner";

type Request = { resolve(answer: FromHost): void; reject(error: Error): void };
type Thread = { worker: Worker; requests: Map<number, Request>; nodes: Set<number> };

let current: Thread | undefined;
let lastId = 0;

function getThread(): Thread {
  if (current) return current;
  // Only the TypeScript sources need the program's Node flags. In the package, the thread doesn't inherit them, because
  // they might load a compiler.
  const execArgv = import.meta.url.endsWith(".ts") ? process.execArgv : [];
  const worker = new Worker(new URL("./host.ts", import.meta.url), { env: { NODE_ENV: "production" }, execArgv });
  const thread: Thread = { worker, requests: new Map(), nodes: new Set() };
  const fail = (error: Error) => {
    if (current === thread) current = undefined;
    for (const { reject } of thread.requests.values()) reject(error);
    thread.requests.clear();
  };
  worker.on("message", (answer: FromHost) => {
    thread.requests.get(answer.id)?.resolve(answer);
    thread.requests.delete(answer.id);
    if (thread.requests.size === 0) worker.unref();
  });
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`Tollscan's thread ended with code ${code}.`)));
  current = thread;
  return thread;
}

function ask(thread: Thread, message: ToHost): Promise<FromHost> {
  return new Promise((resolve, reject) => {
    thread.requests.set(message.id, { resolve, reject });
    thread.worker.ref();
    thread.worker.postMessage(message);
  });
}

/** Opens a node. Rejects with ConfigError, or with the reason why it could not be opened. */
export async function openInThread(settings: Record<string, string>): Promise<{ start: Start; stop(): Promise<void> }> {
  const thread = getThread();
  const id = ++lastId;
  thread.nodes.add(id);
  const answer = await ask(thread, { id, kind: "open", settings });
  if (answer.kind === "opened") return { start: answer.start, stop: () => close(thread, id) };
  await forget(thread, id);
  throw toError(answer);
}

async function close(thread: Thread, id: number): Promise<void> {
  if (current !== thread) return;
  const answer = await ask(thread, { id, kind: "close" });
  await forget(thread, id);
  if (answer.kind === "failed") throw toError(answer);
}

/** Removes a node, and ends the thread if that was its last one. */
async function forget(thread: Thread, id: number): Promise<void> {
  thread.nodes.delete(id);
  if (thread.nodes.size > 0 || current !== thread) return;
  current = undefined;
  await thread.worker.terminate();
}

function toError(answer: FromHost): Error {
  if (answer.kind !== "failed") return new Error(`Unexpected answer: ${answer.kind}.`);
  const { code, message } = answer;
  return code === "CONFIG" ? new ConfigError(message) : Object.assign(new Error(message), { code });
}
