/**
 * The JSON-RPC 2.0 core of one network: envelope in, envelope out. Params are validated before a handler runs, every
 * fault becomes an error object, and each response is serialized once.
 */
import { findMethod } from "@/lib/rpc/methods";
import { isControlled, type MethodDefinition } from "@/lib/rpc/schema/define";
import type { Chain } from "@/server/chain/chain";
import { createFilters } from "@/server/chain/filters";
import type { Limits } from "@/server/config/config";
import { log } from "@/server/log/log";
import { type BatchPieces, createBatch, joinPieces, toPieces } from "@/server/rpc/batch";
import type { Caller, RpcServices } from "@/server/rpc/context";
import { encodeError, encodeResult, readEnvelope } from "@/server/rpc/envelope";
import {
  findRpcError,
  type RpcError,
  toInternalError,
  toInvalidParams,
  toInvalidRequest,
  toLimitExceeded,
  toMethodNotFound,
  toNotAllowed,
  toParamsError,
  toParseError,
} from "@/server/rpc/errors";
import { createFinalAnswers } from "@/server/rpc/finalAnswers";
import { createNodeHistory, type NodeReading } from "@/server/rpc/nodeHistory";
import { getHandler } from "@/server/rpc/registry";
import { createStatistics, type Statistics } from "@/server/rpc/statistics";

/** As in geth: a filter that is not polled for five minutes is removed. */
const filterExpiryMs = 300_000;

export type Dispatcher = Dispatch & {
  /** Runs one method; rejects only with RpcError. params are by position or by name. */
  call(method: string, params: unknown, caller: Caller): Promise<unknown>;
  /** Request counts per method since it was built, including in-process calls. */
  statistics: Statistics;
  /** Removes all filters and stops taking readings. */
  close(): void;
};

export type Dispatch = {
  /** Responds to a request body; undefined if it held only notifications. */
  dispatch(body: Uint8Array, caller: Caller): Promise<string | undefined>;
  /** Responds to a long batch in pieces, as they are ready. The signal aborts if the caller goes away. */
  dispatchInPieces(
    body: Uint8Array,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<string | BatchPieces | undefined>;
};

/** Runs one method and returns its result as JSON; rejects only with RpcError. */
export type RunAsText = (method: string, params: unknown, caller: Caller) => Promise<string>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function createDispatcher(services: RpcServices): Dispatcher {
  const { chain, limits, network } = services;
  const filters = createFilters(chain, {
    total: limits.filters,
    perClient: limits.clientFilters,
    results: limits.logResults,
    expiryMs: filterExpiryMs,
  });
  const statistics = createStatistics();
  const history = createNodeHistory(() => readNode(chain, statistics));
  const finalAnswers = createFinalAnswers(chain);
  const context = { ...services, filters, statistics, history };

  /** Runs a method and counts it; toAnswer receives the function that runs the handler. */
  async function run<T>(
    method: string,
    params: unknown,
    caller: Caller,
    toAnswer: (params: readonly unknown[], handle: () => unknown) => T | Promise<T>,
  ): Promise<T> {
    const definition = findMethod(method);
    if (!definition) throw toMethodNotFound(method);
    const handler = getHandler(definition);
    const startedAt = performance.now();
    let failed = true;
    try {
      const { decoded } = readParams(definition, params);
      const answer = await toAnswer(decoded, () => handler({ ...context, caller }, ...decoded));
      failed = false;
      return answer;
    } catch (error) {
      const known = findRpcError(error);
      if (known) throw known;
      log.error("A JSON-RPC handler failed", error, { method, network: network.name });
      throw toInternalError();
    } finally {
      statistics.record(method, performance.now() - startedAt, failed);
    }
  }

  return {
    ...createDispatch(limits, (method, params, caller) =>
      run(method, params, caller, (decoded, handle) => finalAnswers.answer(method, decoded, handle)),
    ),
    call: (method, params, caller) => run<unknown>(method, params, caller, (_params, handle) => handle()),
    statistics,
    close() {
      history.close();
      filters.close();
      finalAnswers.close();
    },
  };
}

async function readNode(chain: Chain, statistics: Statistics): Promise<NodeReading> {
  const { activeRequests, queuedRequests } = chain.executor.statistics();
  const { number, timestamp } = chain.head();
  return {
    ...chain.pool.counts(),
    // The genesis timestamp is a constant, so before the first block the head has no meaningful age.
    headTimestamp: number === 0 ? Date.now() / 1000 : timestamp,
    storeBytes: await chain.store.findSize(),
    activeCalls: activeRequests,
    waitingCalls: queuedRequests,
    methods: statistics.list(),
  };
}

/** Params in declared order, both as sent and as decoded for the handler. Throws RpcError. */
export function readParams(
  definition: MethodDefinition,
  params: unknown,
): { positional: readonly unknown[]; decoded: readonly unknown[] } {
  const positional = toPositional(params, definition);
  const read = definition.params.safeParse(positional);
  if (!read.success) throw toParamsError(read.error, definition.paramNames, positional.length);
  return { positional, decoded: read.data };
}

/** Handles JSON requests and batches, within the limits, around a function that runs one method. */
export function createDispatch(
  { batchLength, responseBytes }: Pick<Limits, "batchLength" | "responseBytes">,
  run: RunAsText,
): Dispatch {
  async function answer(request: unknown, caller: Caller): Promise<string | undefined> {
    const envelope = readEnvelope(request);
    if ("error" in envelope) return encodeError(envelope.id, envelope.error);
    const { id, method, params } = envelope;
    try {
      const definition = findMethod(method);
      if (!caller.mayControl && definition && isControlled(definition)) throw toNotAllowed(method);
      const result = await run(method, params, caller);
      if (id === undefined) return undefined;
      const text = encodeResult(id, result);
      return text.length > responseBytes ? encodeError(id, toTooLarge(responseBytes)) : text;
    } catch (error) {
      return id === undefined ? undefined : encodeError(id, findRpcError(error) ?? toInternalError());
    }
  }

  async function answerBatch(
    requests: unknown[],
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<string | BatchPieces | undefined> {
    if (requests.length === 0) return encodeError(null, toInvalidRequest("the batch is empty."));
    if (requests.length > batchLength) {
      const why = `A batch of ${requests.length} requests exceeds the limit of ${batchLength}.`;
      return encodeError(null, toLimitExceeded("batchLength", why));
    }
    const pieces = toPieces(
      createBatch(requests, { answer: (request) => answer(request, caller), skip, responseBytes }),
    );
    signal?.addEventListener("abort", pieces.stop, { once: true });
    const first = await pieces.next();
    if (first === undefined || pieces.isOver()) return first;
    let begun: string | undefined = first;
    return {
      stop: pieces.stop,
      async next() {
        const text = begun ?? (await pieces.next());
        begun = undefined;
        return text;
      },
    };
  }

  /** The response to a request once the batch's responses have reached the limit. */
  function skip(request: unknown): string | undefined {
    const { id } = readEnvelope(request);
    return id === undefined ? undefined : encodeError(id, toTooLarge(responseBytes));
  }

  const dispatchInPieces: Dispatch["dispatchInPieces"] = async (body, caller, signal) => {
    let request: unknown;
    try {
      request = JSON.parse(utf8.decode(body));
    } catch {
      return encodeError(null, toParseError());
    }
    return Array.isArray(request) ? answerBatch(request, caller, signal) : answer(request, caller);
  };

  return {
    dispatchInPieces,
    async dispatch(body, caller) {
      const answered = await dispatchInPieces(body, caller, undefined);
      return typeof answered === "object" ? joinPieces(answered) : answered;
    },
  };
}

function toTooLarge(limit: number): RpcError {
  return toLimitExceeded("responseBytes", `The answer exceeds the limit of ${limit} bytes; ask for less.`);
}

/** Orders named params by their declared names; a missing name counts as omitted. */
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
