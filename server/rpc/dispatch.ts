/**
 * The JSON-RPC 2.0 core of one network: an envelope in, an envelope out. Params are validated before a handler sees
 * them, every fault becomes an error object, and each answer is made into text once.
 */
import { methods } from "@/lib/rpc/methods";
import { createParamsReader, type ParamsReader } from "@/lib/rpc/paramsReader";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import type { Chain } from "@/server/chain/chain";
import { ElsewhereError } from "@/server/chain/errors";
import { createFilters } from "@/server/chain/filters";
import type { Limits } from "@/server/config";
import { log } from "@/server/log";
import type { Caller, RpcContext, RpcServices } from "@/server/rpc/context";
import {
  findRpcError,
  type RpcError,
  toInternalError,
  toInvalidParams,
  toInvalidRequest,
  toLimitExceeded,
  toMethodNotFound,
  toParamsError,
  toParseError,
} from "@/server/rpc/errors";
import { createFinalAnswers, toResultText } from "@/server/rpc/finalAnswers";
import { createNodeHistory, type NodeReading } from "@/server/rpc/nodeHistory";
import { handlers } from "@/server/rpc/registry";
import { createStatistics, type Statistics } from "@/server/rpc/statistics";

/** Requests of one batch that run at the same time. */
const batchConcurrency = 32;
/** As geth: a filter that nobody asked for five minutes is gone. */
const filterExpiryMs = 300_000;

export type Dispatcher = {
  /** Runs one method; rejects with RpcError alone. params by position or by name. */
  call(method: string, params: unknown, caller: Caller): Promise<unknown>;
  /** Answers a request body; undefined where it held notifications only. */
  dispatch(body: Uint8Array, caller: Caller): Promise<string | undefined>;
  /** Requests of its methods since it was built, those in process too. */
  statistics: Statistics;
  /** Forgets the filters and takes no more readings. */
  close(): void;
};

type Id = string | number | null;
type AnyHandler = (context: RpcContext, ...params: readonly unknown[]) => unknown;
type Entry = { definition: MethodDefinition; handler: AnyHandler };

const entries = new Map<string, Entry>(
  Object.entries(methods).map(([name, definition]) => [
    name,
    {
      definition: definition as unknown as MethodDefinition,
      handler: handlers[name as keyof typeof handlers] as AnyHandler,
    },
  ]),
);

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function createDispatcher(services: RpcServices): Dispatcher {
  const filters = createFilters(services.chain, {
    total: services.limits.filters,
    perClient: services.limits.clientFilters,
    results: services.limits.logResults,
    expiryMs: filterExpiryMs,
  });

  const statistics = createStatistics();
  const history = createNodeHistory(() => readNode(services.chain, statistics));

  const finalAnswers = createFinalAnswers(services.chain);
  const run = createRun({ ...services, filters, statistics, history }, statistics);

  const call: Dispatcher["call"] = (method, params, caller) =>
    run<unknown>(method, params, caller, (_params, handle) => handle());
  const callForText: CallForText = (method, params, caller) =>
    run(method, params, caller, (decoded, handle) => finalAnswers.answer(method, decoded, handle));

  const close = () => {
    history.close();
    filters.close();
    finalAnswers.close();
  };
  return { call, statistics, close, dispatch: createDispatch(services.limits, callForText) };
}

/**
 * Runs a method and counts it; answer is handed what runs the handler. Rejects with RpcError, and with ElsewhereError,
 * uncounted, where the context is that of a process that leaves the method to another.
 */
export type Run = <T>(
  method: string,
  params: unknown,
  caller: Caller,
  answer: (params: readonly unknown[], handle: () => unknown) => T | Promise<T>,
) => Promise<T>;

/** What runs methods in one context. */
export function createRun(context: Omit<RpcContext, "caller">, statistics: Pick<Statistics, "record">): Run {
  return async (method, params, caller, answer) => {
    const entry = entries.get(method);
    if (!entry) throw toMethodNotFound(method);
    const startedAt = performance.now();
    const record = (failed: boolean) => statistics.record(method, performance.now() - startedAt, failed);
    try {
      const { decoded } = readParams(entry.definition, params);
      const result = await answer(decoded, () => entry.handler({ ...context, caller }, ...decoded));
      record(false);
      return result;
    } catch (error) {
      if (error instanceof ElsewhereError) throw error;
      record(true);
      const known = findRpcError(error);
      if (known) throw known;
      log.error("A JSON-RPC handler failed", error, { method, network: context.network.name });
      throw toInternalError();
    }
  };
}

async function readNode(chain: Chain, statistics: Statistics): Promise<NodeReading> {
  const { activeRequests, queuedRequests } = chain.executor.statistics();
  const { number, timestamp } = chain.head();
  return {
    ...chain.pool.counts(),
    // The time of a genesis is a constant: before the first block the head has no age worth drawing.
    headTimestamp: number === 0 ? Date.now() / 1000 : timestamp,
    storeBytes: await chain.store.findSize(),
    activeCalls: activeRequests,
    waitingCalls: queuedRequests,
    methods: statistics.list(),
  };
}

/** Params in the order of their names, as they were written and as a handler takes them. Throws RpcError. */
export function readParams(
  definition: MethodDefinition,
  params: unknown,
): { positional: readonly unknown[]; decoded: readonly unknown[] } {
  const positional = toPositional(params, definition);
  const decoded = findReader(definition)?.(positional);
  if (decoded) return { positional, decoded };
  const read = definition.params.safeParse(positional);
  if (!read.success) throw toParamsError(read.error, definition.paramNames, positional.length);
  return { positional, decoded: read.data };
}

const readers = new Map<MethodDefinition, ParamsReader | undefined>();

/** Made when the method is first asked for: most methods never are. */
function findReader(definition: MethodDefinition): ParamsReader | undefined {
  if (!readers.has(definition)) readers.set(definition, createParamsReader(definition.params));
  return readers.get(definition);
}

/** Runs one method and answers its result as JSON; rejects with RpcError alone. */
export type CallForText = (method: string, params: unknown, caller: Caller) => Promise<string>;

/** For a call of which no answer is kept. */
export function toCallForText(call: Dispatcher["call"]): CallForText {
  return async (method, params, caller) => toResultText(await call(method, params, caller));
}

/** Requests and batches in JSON around a function that runs one method, within the limits. */
export function createDispatch(
  { batchLength, responseBytes }: Pick<Limits, "batchLength" | "responseBytes">,
  call: CallForText,
): Dispatcher["dispatch"] {
  /** The answer's text; undefined for a notification. */
  async function answer(request: unknown, caller: Caller): Promise<string | undefined> {
    const envelope = readEnvelope(request);
    if ("error" in envelope) return encodeError(envelope.id, envelope.error);
    const { id, method, params } = envelope;
    try {
      const result = await call(method, params, caller);
      if (id === undefined) return undefined;
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
      return text.length > responseBytes ? encodeError(id, toTooLarge(responseBytes)) : text;
    } catch (error) {
      if (id === undefined) return undefined;
      return encodeError(id, findRpcError(error) ?? toInternalError());
    }
  }

  async function answerBatch(requests: unknown[], caller: Caller): Promise<string | undefined> {
    if (requests.length === 0) return encodeError(null, toInvalidRequest("the batch is empty."));
    if (requests.length > batchLength) {
      const why = `A batch of ${requests.length} requests exceeds the limit of ${batchLength}.`;
      return encodeError(null, toLimitExceeded("batchLength", why));
    }
    const answers = new Array<string | undefined>(requests.length);
    let next = 0;
    let bytes = 0;
    const worker = async () => {
      while (next < requests.length) {
        const position = next++;
        const request = requests[position];
        let text = bytes > responseBytes ? skip(request) : await answer(request, caller);
        bytes += text?.length ?? 0;
        if (text !== undefined && bytes > responseBytes) text = skip(request);
        answers[position] = text;
      }
    };
    await Promise.all(Array.from({ length: Math.min(batchConcurrency, requests.length) }, worker));
    const given = answers.filter((text) => text !== undefined);
    return given.length > 0 ? `[${given.join(",")}]` : undefined;
  }

  /** What a request of a batch is answered once the batch's answers have reached the limit. */
  function skip(request: unknown): string | undefined {
    const { id } = readEnvelope(request);
    return id === undefined ? undefined : encodeError(id, toTooLarge(responseBytes));
  }

  return async (body, caller) => {
    let request: unknown;
    try {
      request = JSON.parse(utf8.decode(body));
    } catch {
      return encodeError(null, toParseError());
    }
    return Array.isArray(request) ? answerBatch(request, caller) : answer(request, caller);
  };
}

function toTooLarge(limit: number): RpcError {
  return toLimitExceeded("responseBytes", `The answer exceeds the limit of ${limit} bytes; ask for less.`);
}

/** The whole answer that carries an error. */
export function encodeError(id: Id, error: RpcError): string {
  const { code, message, data } = error;
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  });
}

type Envelope = { id: Id | undefined; method: string; params: unknown } | { id: Id; error: RpcError };

const refuse = (id: Id, why: string) => ({ id, error: toInvalidRequest(why) });

/** An envelope that is at fault is answered under its id where it has a usable one, as a notification never is. */
function readEnvelope(request: unknown): Envelope {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    return refuse(null, "expected an object.");
  }
  const { jsonrpc, method, params, id } = request as Record<string, unknown>;
  const isId = id === null || typeof id === "string" || typeof id === "number";
  if (id !== undefined && !isId) return refuse(null, "id must be a string, a number or null.");
  if (jsonrpc !== "2.0") return refuse(isId ? id : null, 'jsonrpc must be "2.0".');
  if (typeof method !== "string") return refuse(isId ? id : null, "method must be a string.");
  if (params !== undefined && params !== null && typeof params !== "object") {
    return refuse(isId ? id : null, "params must be an array or an object.");
  }
  return { id: isId ? id : undefined, method, params };
}

/** Params by name take their place by the declared names; what is not named counts as omitted. */
function toPositional(params: unknown, definition: MethodDefinition): readonly unknown[] {
  if (params === undefined || params === null) return [];
  if (Array.isArray(params)) return params;
  const named = params as Record<string, unknown>;
  for (const name of Object.keys(named)) {
    if (definition.paramNames.includes(name)) continue;
    const known = definition.paramNames.join(", ");
    throw toInvalidParams(`no param is named ${JSON.stringify(name.slice(0, 50))}; named are: ${known || "none"}`);
  }
  const positional = definition.paramNames.map((name) => (Object.hasOwn(named, name) ? named[name] : undefined));
  while (positional.length > 0 && positional.at(-1) === undefined) positional.pop();
  return positional;
}
