/**
 * The JSON-RPC 2.0 core of one network: an envelope in, an envelope out. Params are validated before a handler sees
 * them, every fault becomes an error object, and each answer is made into text once.
 */
import { isAscii } from "node:buffer";
import { methods } from "@/lib/rpc/methods";
import { createParamsReader, type ParamsReader } from "@/lib/rpc/paramsReader";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import type { Chain } from "@/server/chain/chain";
import { ElsewhereError } from "@/server/chain/errors";
import { createFilters } from "@/server/chain/filters";
import type { Limits } from "@/server/config";
import { log } from "@/server/log";
import { type BatchPieces, createBatch, toPieces } from "@/server/rpc/batch";
import type { Awaitable, Caller, RpcContext, RpcServices } from "@/server/rpc/context";
import { encodeError, encodeResult, type Id, readEnvelope } from "@/server/rpc/envelope";
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

/** As geth: a filter that nobody asked for five minutes is gone. */
const filterExpiryMs = 300_000;

export type Dispatcher = {
  /** Runs one method; rejects with RpcError alone. params by position or by name. */
  call(method: string, params: unknown, caller: Caller): Promise<unknown>;
  dispatch: Dispatch;
  /** Requests of its methods since it was built, those in process too. */
  statistics: Statistics;
  /** Forgets the filters and takes no more readings. */
  close(): void;
};

/**
 * Answers a request body; undefined where it held notifications only. The answer of a batch that gets long is what long
 * makes of it, or without that the whole text.
 */
export type Dispatch = <T = never>(
  body: Uint8Array,
  caller: Caller,
  long?: LongAnswers<T>,
) => Awaitable<string | undefined | T>;

export type LongAnswers<T> = {
  /** first: what was taken of the pieces already. */
  toAnswer(first: string, pieces: BatchPieces): T;
  /** Whose signal says that the caller is gone. */
  source: { readonly signal?: AbortSignal };
};

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

  const call: Dispatcher["call"] = async (method, params, caller) =>
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
 * Runs a method and counts it; answer is handed what runs the handler. Throws or rejects with RpcError, and with
 * ElsewhereError, uncounted, where the context is that of a process that leaves the method to another.
 */
export type Run = <T>(method: string, params: unknown, caller: Caller, answer: Answer<T>) => Awaitable<T>;
type Answer<T> = (params: readonly unknown[], handle: () => unknown) => Awaitable<T>;

/** What runs methods in one context. What needs no waiting is answered at once, not by promise. */
export function createRun(context: Omit<RpcContext, "caller">, statistics: Pick<Statistics, "record">): Run {
  const { network, chain, limits, fund, filters, history, statistics: told } = context;
  // Written out: spread with one more it would be the dearest part of a request.
  const toContext = (caller: Caller): RpcContext => ({
    network,
    chain,
    limits,
    fund,
    filters,
    history,
    statistics: told,
    caller,
  });

  function succeed<T>(method: string, startedAt: number, result: T): T {
    statistics.record(method, performance.now() - startedAt, false);
    return result;
  }

  function fail(method: string, startedAt: number, error: unknown): never {
    if (error instanceof ElsewhereError) throw error;
    statistics.record(method, performance.now() - startedAt, true);
    const known = findRpcError(error);
    if (known) throw known;
    log.error("A JSON-RPC handler failed", error, { method, network: network.name });
    throw toInternalError();
  }

  return <T>(method: string, params: unknown, caller: Caller, answer: Answer<T>) => {
    const entry = entries.get(method);
    if (!entry) throw toMethodNotFound(method);
    const startedAt = performance.now();
    let result: Awaitable<T>;
    try {
      const { decoded } = readParams(entry.definition, params);
      result = answer(decoded, () => entry.handler(toContext(caller), ...decoded));
    } catch (error) {
      return fail(method, startedAt, error);
    }
    if (!(result instanceof Promise)) return succeed(method, startedAt, result);
    return result.then(
      (value) => succeed(method, startedAt, value),
      (error) => fail(method, startedAt, error),
    );
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

/** Runs one method and answers its result as JSON; throws or rejects with RpcError alone. */
export type CallForText = (method: string, params: unknown, caller: Caller) => Awaitable<string>;

/** For a call of which no answer is kept. */
export function toCallForText(call: Dispatcher["call"]): CallForText {
  return async (method, params, caller) => toResultText(await call(method, params, caller));
}

/** Requests and batches in JSON around a function that runs one method, within the limits. */
export function createDispatch(
  { batchLength, responseBytes }: Pick<Limits, "batchLength" | "responseBytes">,
  call: CallForText,
): Dispatch {
  /** The answer's text; undefined for a notification. */
  function answer(request: unknown, caller: Caller): Awaitable<string | undefined> {
    const envelope = readEnvelope(request);
    if ("error" in envelope) return encodeError(envelope.id, envelope.error);
    const { id, method, params } = envelope;
    let result: Awaitable<string>;
    try {
      result = call(method, params, caller);
    } catch (error) {
      return toFailure(id, error);
    }
    if (typeof result === "string") return toSuccess(id, result);
    return result.then(
      (text) => toSuccess(id, text),
      (error) => toFailure(id, error),
    );
  }

  function toSuccess(id: Id | undefined, result: string): string | undefined {
    if (id === undefined) return undefined;
    const text = encodeResult(id, result);
    return text.length > responseBytes ? encodeError(id, toTooLarge(responseBytes)) : text;
  }

  async function answerBatch<T>(
    requests: unknown[],
    caller: Caller,
    long: LongAnswers<T> | undefined,
  ): Promise<string | undefined | T> {
    if (requests.length === 0) return encodeError(null, toInvalidRequest("the batch is empty."));
    if (requests.length > batchLength) {
      const why = `A batch of ${requests.length} requests exceeds the limit of ${batchLength}.`;
      return encodeError(null, toLimitExceeded("batchLength", why));
    }
    const pieces = toPieces(
      createBatch(requests, { answer: (request) => answer(request, caller), skip, responseBytes }),
    );
    long?.source.signal?.addEventListener("abort", pieces.stop, { once: true });
    let text = await pieces.next();
    if (text === undefined || pieces.isOver()) return text;
    if (long) return long.toAnswer(text, pieces);
    for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) text += piece;
    return text;
  }

  /** What a request of a batch is answered once the batch's answers have reached the limit. */
  function skip(request: unknown): string | undefined {
    const { id } = readEnvelope(request);
    return id === undefined ? undefined : encodeError(id, toTooLarge(responseBytes));
  }

  return (body, caller, long) => {
    let request: unknown;
    try {
      request = JSON.parse(toText(body));
    } catch {
      return encodeError(null, toParseError());
    }
    return Array.isArray(request) ? answerBatch(request, caller, long) : answer(request, caller);
  };
}

/** Throws on what is not UTF-8. */
function toText(body: Uint8Array): string {
  return Buffer.isBuffer(body) && isAscii(body) ? body.toString("latin1") : utf8.decode(body);
}

function toFailure(id: Id | undefined, error: unknown): string | undefined {
  return id === undefined ? undefined : encodeError(id, findRpcError(error) ?? toInternalError());
}

function toTooLarge(limit: number): RpcError {
  return toLimitExceeded("responseBytes", `The answer exceeds the limit of ${limit} bytes; ask for less.`);
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
