/**
 * The JSON-RPC 2.0 core of one network: turns a request envelope into a response envelope. Params are validated before
 * a handler runs, and every error becomes an error object.
 */
import { findMethod, methods } from "@/lib/rpc/methods";
import { isControlled, type MethodDefinition } from "@/lib/rpc/schema/define";
import type { Limits } from "@/server/config/config";
import { findJsonFault } from "@/server/http/findJsonFault";
import { log } from "@/server/log/log";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { type BatchPieces, createBatch, joinPieces, toPieces } from "@/server/rpc/batch";
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
import { toText } from "@/server/rpc/finalAnswers";
import { findJsonText } from "@/server/rpc/jsonText";
import { pauseIfLong } from "@/server/rpc/pauseIfLong";
import type { Caller, ServedNetwork } from "@/server/rpc/ports";
import { bindMethods } from "@/server/rpc/registry";
import type { Statistics } from "@/server/rpc/statistics";

export type Dispatcher = Dispatch & {
  /** Runs one method; rejects only with RpcError. `params` is an array (by position) or an object (by name). */
  call(method: string, params: unknown, caller: Caller): Promise<unknown>;
  /** Calls the same methods without HTTP or JSON. Used by server-rendered pages and the facilitator. */
  request: Eip1193Request;
  /** Request counts per method since this object was created, including in-process calls. */
  statistics: Statistics;
  /** Removes all filters and stops recording load samples. */
  close(): void;
};

export type Dispatch = {
  /** Returns the response to a request body; undefined if the body contained only notifications. */
  dispatch(body: Uint8Array, caller: Caller): Promise<string | undefined>;
  /**
   * Like `dispatch`, but returns the response to a long batch in pieces as they become ready. Reads `signal` only for
   * batches, because the HTTP layer doesn't create the signal until it is read.
   */
  dispatchInPieces(
    body: Uint8Array,
    caller: Caller,
    request?: { readonly signal?: AbortSignal | undefined },
  ): Promise<string | BatchPieces | undefined>;
};

/** Runs one method and returns its result as JSON; rejects only with RpcError. */
export type RunAsText = (method: string, params: unknown, caller: Caller) => Promise<string>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function createDispatcher(served: ServedNetwork): Dispatcher {
  const { network, limits, statistics, finalAnswers } = served;
  const bound = bindMethods(served);
  const dialect = { ...network.settings, anvil: bound.serves(methods.evm_mine) };

  /** Runs a method and counts the request. `toAnswer` produces the result and calls `handle` to run the handler. */
  async function run<T>(
    name: string,
    params: unknown,
    caller: Caller,
    toAnswer: (method: MethodDefinition, params: readonly unknown[], handle: () => unknown) => T | Promise<T>,
  ): Promise<T> {
    const definition = findMethod(name);
    if (!definition) throw toMethodNotFound(name);
    const method = bound.get(definition);
    const startedAt = performance.now();
    let failed = true;
    try {
      const read = readParams(definition, params);
      const answer = await toAnswer(definition, read.decoded, () => method(read, caller));
      failed = false;
      return answer;
    } catch (error) {
      const known = findRpcError(error, dialect);
      if (known) throw known;
      log.error("A JSON-RPC handler failed", error, { method: name, network: network.name });
      throw toInternalError();
    } finally {
      statistics.record(name, performance.now() - startedAt, failed);
    }
  }

  const call: Dispatcher["call"] = (name, params, caller) =>
    run<unknown>(name, params, caller, async (_method, _params, handle) => {
      const result = await handle();
      const text = findJsonText(result);
      return text === undefined ? result : JSON.parse(text);
    });
  return {
    ...createDispatch(limits, (name, params, caller) =>
      run(name, params, caller, (method, decoded, handle) =>
        finalAnswers ? finalAnswers.answer(method, decoded, handle) : toText(handle()),
      ),
    ),
    call,
    request: ({ method, params }) => call(method, params, {}),
    statistics,
    close: served.close,
  };
}

/**
 * Returns the params in the order in which the method declares them, both as sent and as decoded for the handler.
 * Throws RpcError.
 */
function readParams(
  definition: MethodDefinition,
  params: unknown,
): { positional: readonly unknown[]; decoded: readonly unknown[] } {
  const positional = toPositional(params, definition);
  const read = definition.params.safeParse(positional);
  if (!read.success) throw toParamsError(read.error, definition.paramNames, positional.length);
  return { positional, decoded: read.data };
}

/** Creates a handler that serves JSON requests and batches and enforces the limits. `run` runs one method. */
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
      if (definition && isControlled(definition) && !caller.mayControl) throw toNotAllowed(method);
      const result = await run(method, params, caller);
      if (id === undefined) return undefined;
      const text = encodeResult(id, result);
      return text.length > responseBytes ? encodeError(id, toTooLarge(responseBytes)) : text;
    } catch (error) {
      return id === undefined ? undefined : encodeError(id, findRpcError(error) ?? toInternalError());
    }
  }

  /** Gives other work a turn between the requests of a batch. */
  async function answerInTurn(request: unknown, caller: Caller): Promise<string | undefined> {
    await pauseIfLong();
    return answer(request, caller);
  }

  async function answerBatch(
    requests: unknown[],
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<string | BatchPieces | undefined> {
    if (requests.length === 0) return encodeError(null, toInvalidRequest("the batch is empty."));
    if (requests.length > batchLength) {
      const why = `A batch of ${requests.length} requests exceeds the limit of ${batchLength}: split it.`;
      return encodeError(null, toLimitExceeded("batchLength", why));
    }
    const pieces = toPieces(
      createBatch(requests, {
        answer: (request, pause) => answerInTurn(request, withPause(caller, pause)),
        skip,
        responseBytes,
      }),
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

  /** Returns the error for a request that isn't run because the batch's responses exceed the limit. */
  function skip(request: unknown): string | undefined {
    const { id } = readEnvelope(request);
    return id === undefined ? undefined : encodeError(id, toTooLarge(responseBytes));
  }

  const dispatchInPieces: Dispatch["dispatchInPieces"] = (body, caller, sent) => {
    const request = readRequest(body);
    if ("error" in request) return Promise.resolve(encodeError(null, request.error));
    const { value } = request;
    return Array.isArray(value) ? answerBatch(value, caller, sent?.signal) : answer(value, caller);
  };

  return {
    dispatchInPieces,
    async dispatch(body, caller) {
      const answered = await dispatchInPieces(body, caller);
      return typeof answered === "object" ? joinPieces(answered) : answered;
    },
  };
}

/** Copies each field by name. The caller may be a class instance with getters, which spreading would omit. */
function withPause({ address, subscriber, mayControl }: Caller, pause: NonNullable<Caller["pause"]>): Caller {
  return {
    ...(address !== undefined && { address }),
    ...(subscriber && { subscriber }),
    ...(mayControl !== undefined && { mayControl }),
    pause,
  };
}

function readRequest(body: Uint8Array): { value: unknown } | { error: RpcError } {
  const fault = findJsonFault(body);
  if (fault !== undefined) return { error: toInvalidRequest(fault) };
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch {
    return { error: toParseError() };
  }
}

function toTooLarge(limit: number): RpcError {
  return toLimitExceeded("responseBytes", `The response exceeds the limit of ${limit} bytes: request less data.`);
}

/** Puts named params in the order in which the method declares them. A missing name counts as omitted. */
function toPositional(params: unknown, definition: MethodDefinition): readonly unknown[] {
  if (params === undefined || params === null) return [];
  if (Array.isArray(params)) return params;
  const named = params as Record<string, unknown>;
  for (const name of Object.keys(named)) {
    if (definition.paramNames.includes(name)) continue;
    const known = definition.paramNames.join(", ");
    throw toInvalidParams(`unknown param ${JSON.stringify(name.slice(0, 50))}; known params: ${known || "none"}`);
  }
  const positional = definition.paramNames.map((name) => (Object.hasOwn(named, name) ? named[name] : undefined));
  while (positional.length > 0 && positional.at(-1) === undefined) positional.pop();
  return positional;
}
