/**
 * Sends the console's request and measures the response. Requests to this node's networks are sent directly; all others
 * go through the node's guarded relay. Never rejects, because a failure is also an outcome.
 */

import { findJson } from "@/lib/json";
import { type Network, toRpcPath } from "@/lib/networks";
import { comparePath } from "@/lib/rpc/endpointAnswer";

export type RpcCall = { method: string; params: readonly unknown[] };

export type Target = { kind: "network"; network: Network } | { kind: "url"; url: string };

export type Outcome = {
  target: Target;
  /** Milliseconds from sending the request to receiving the last byte. For relayed requests, the node measures this. */
  ms: number;
  bytes: number;
  /** The response's text, unmodified. */
  text: string;
} & (
  | { kind: "answer"; answers: RpcAnswer[] }
  /** The response isn't JSON-RPC, or there is none. `sentence` describes the problem. */
  | { kind: "failure"; sentence: string }
);

export type RpcAnswer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

const timeoutMs = 60_000;

export function toBody(calls: readonly RpcCall[]): string {
  const requests = calls.map(({ method, params }, index) => ({ jsonrpc: "2.0", id: index + 1, method, params }));
  return JSON.stringify(requests.length === 1 ? requests[0] : requests);
}

/** Sends the calls, as a batch if there are several. The responses are in the order of the calls. */
export async function callRequest(target: Target, calls: readonly RpcCall[], signal: AbortSignal): Promise<Outcome> {
  const startedMs = performance.now();
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let text = "";
  try {
    const sent = toBody(calls);
    const [path, body] =
      target.kind === "network"
        ? [toRpcPath(target.network), sent]
        : [comparePath, JSON.stringify({ url: target.url, body: sent })];
    const headers = { "content-type": "application/json" };
    const response = await fetch(path, { method: "POST", headers, body, signal: stop });
    text = await response.text();
    const given = target.kind === "network" ? { text, ms: performance.now() - startedMs } : readRelayed(text);
    text = given.text;
    return { target, ms: given.ms, ...toSize(text), kind: "answer", answers: readAnswers(text, calls.length) };
  } catch (error) {
    const sentence = toSentence(error, signal);
    return { target, ms: performance.now() - startedMs, ...toSize(text), kind: "failure", sentence };
  }
}

class AnswerError extends Error {}

function toSize(text: string): { text: string; bytes: number } {
  return { text, bytes: new TextEncoder().encode(text).length };
}

function toSentence(error: unknown, signal: AbortSignal): string {
  if (error instanceof AnswerError) return error.message;
  if (signal.aborted) return "The request was canceled.";
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `No response within ${timeoutMs / 1000} seconds.`;
  }
  return "The node could not be reached.";
}

/** Reads the relay's report, which contains the response from the other endpoint. */
function readRelayed(text: string): { text: string; ms: number } {
  const relayed = findJson(text) as { body?: unknown; ms?: unknown; error?: unknown } | undefined;
  if (typeof relayed?.error === "string") throw new AnswerError(relayed.error);
  if (typeof relayed?.body !== "string" || typeof relayed.ms !== "number") {
    throw new AnswerError("The response is not JSON-RPC.");
  }
  return { text: relayed.body, ms: relayed.ms };
}

function isAnswer(value: unknown): value is RpcAnswer & { id?: unknown } {
  return typeof value === "object" && value !== null && ("result" in value || "error" in value);
}

/** Sorts the responses by ID, because a batch's responses may arrive in any order. */
export function readAnswers(text: string, count: number): RpcAnswer[] {
  const parsed = findJson(text);
  const answers = Array.isArray(parsed) ? parsed : [parsed];
  if (!answers.every(isAnswer)) throw new AnswerError("The response is not JSON-RPC.");
  // If a batch is rejected as a whole, there is only one response, which has no ID.
  if (count === 1 || !Array.isArray(parsed)) return answers;
  return Array.from({ length: count }, (_, index) => {
    const answer = answers.find(({ id }) => id === index + 1);
    return answer ?? { error: { code: 0, message: "The batch response doesn’t include a response to this request." } };
  });
}
