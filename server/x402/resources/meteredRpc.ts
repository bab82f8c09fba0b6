/**
 * Sells JSON-RPC at a price per call; the body is a single request or a batch. Only listed read methods are allowed, so
 * a payment never changes the chain. A call that returns an error is free.
 */
import { methodList } from "@/lib/rpc/methods";
import { findRpcFailure, NetworkError } from "@/server/x402/reads/jsonRpcError";
import { defineResource, ResourceError, type ServeContext } from "@/server/x402/resources/resource";

const soldMethods = methodList
  .filter(({ isMetered }) => isMetered)
  .map(({ name }) => name)
  .sort();
const allowed: ReadonlySet<string> = new Set(soldMethods);
const maxBodyBytes = 65_536;
/** How many calls of a batch run at the same time. */
const concurrency = 8;

type Call = { id: string | number | null; method: string; params: readonly unknown[] | object };
type Input = { calls: Call[]; isBatch: boolean };

const callSchema = {
  type: "object",
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: ["string", "number", "null"] },
    method: { enum: soldMethods },
    params: { type: ["array", "object"] },
  },
  required: ["jsonrpc", "id", "method"],
};

export const meteredRpc = defineResource<Input>({
  name: "rpc",
  title: "Metered JSON-RPC",
  description: "Read-only JSON-RPC calls, single or in batches of up to 50. Failed calls are free.",
  method: "POST",
  mimeType: "application/json",
  price: { scheme: "upto", amount: "$0.005", unit: "call", unitAmount: "$0.0001" },
  input: { oneOf: [callSchema, { type: "array", items: callSchema, minItems: 1, maxItems: 50 }] },
  exampleBody: { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] },
  toInput({ body }, { maxCount }) {
    if (body.length > maxBodyBytes) {
      throw new ResourceError(413, `The body is ${body.length} bytes; the limit is ${maxBodyBytes}.`);
    }
    let json: unknown;
    try {
      json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    } catch {
      throw new ResourceError(400, "The body is not valid UTF-8 JSON.");
    }
    const isBatch = Array.isArray(json);
    const requests = isBatch ? (json as unknown[]) : [json];
    if (requests.length === 0 || requests.length > maxCount) {
      throw new ResourceError(400, `A batch must contain 1 to ${maxCount} calls, not ${requests.length}.`);
    }
    return { calls: requests.map(toCall), isBatch };
  },
  async serve({ calls, isBatch }, context) {
    const answers = new Array<object>(calls.length);
    let next = 0;
    let count = 0;
    const work = async () => {
      while (next < calls.length) {
        const position = next++;
        const answer = await answerCall(context, calls[position] as Call);
        if ("result" in answer) count += 1;
        answers[position] = answer;
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, work));
    return { body: isBatch ? answers : answers[0], count };
  },
});

function toCall(request: unknown): Call {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    throw new ResourceError(400, "A call must be a JSON-RPC 2.0 request object.");
  }
  const { jsonrpc, id, method, params = [] } = request as Record<string, unknown>;
  if (jsonrpc !== "2.0") throw new ResourceError(400, 'jsonrpc must be "2.0".');
  // Notifications are rejected, because they have no response to pay for.
  if (id !== null && typeof id !== "string" && typeof id !== "number") {
    throw new ResourceError(400, "id must be a string, a number or null.");
  }
  if (typeof method !== "string" || !allowed.has(method)) {
    const shown = typeof method === "string" ? method.slice(0, 50) : "this";
    throw new ResourceError(400, `${shown} is not available; use one of: ${soldMethods.join(", ")}.`);
  }
  if (typeof params !== "object" || params === null) {
    throw new ResourceError(400, "params must be an array or an object.");
  }
  return { id, method, params };
}

/**
 * Answers one call. A node's error becomes the call's response. If the network is unreachable, throws NetworkError, so
 * that nothing is charged.
 */
async function answerCall({ request }: ServeContext, { id, method, params }: Call): Promise<object> {
  try {
    return { jsonrpc: "2.0", id, result: (await request({ method, params })) ?? null };
  } catch (error) {
    const failure = findRpcFailure(error);
    if (!failure) throw new NetworkError(`${method} failed.`, { cause: error });
    const { code, data } = failure;
    const message = failure.message.trim().slice(0, 300);
    return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
  }
}
