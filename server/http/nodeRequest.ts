/**
 * A request over a socket in the shape that handlers see. Query, origin and signal are made when asked for: most
 * requests never look.
 */
import type { Socket } from "node:net";
import { toErrorAnswer } from "@/server/http/answers";
import { toOrigin } from "@/server/http/requestTarget";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log";
import { runAsRequest } from "@/server/requestContext";

/** Where a request came from. */
export type RequestSource = {
  socket: Socket;
  remoteAddress: string | undefined;
  /** Aborted when the caller goes away. */
  toSignal(): AbortSignal;
};

type NodeRequest = HttpRequest & {
  source: RequestSource;
  search: string;
  madeQuery?: URLSearchParams;
  madeSignal?: AbortSignal;
};

/** Shared by all requests, so that none makes these functions. */
const lazily = {
  get query(): URLSearchParams {
    const request = this as unknown as NodeRequest;
    request.madeQuery ??= new URLSearchParams(request.search);
    return request.madeQuery;
  },
  get origin(): string {
    const { source, headers } = this as unknown as NodeRequest;
    return toOrigin(headers, `localhost:${source.socket.localPort}`, "encrypted" in source.socket);
  },
  get signal(): AbortSignal {
    const request = this as unknown as NodeRequest;
    request.madeSignal ??= request.source.toSignal();
    return request.madeSignal;
  },
};

export function toNodeRequest(
  source: RequestSource,
  { method, path, search, headers }: Pick<HttpRequest, "method" | "path" | "headers"> & { search: string },
  body: Uint8Array,
): HttpRequest {
  const request = Object.create(lazily) as NodeRequest;
  request.source = source;
  request.method = method;
  request.path = path;
  request.search = search;
  request.headers = headers;
  request.body = body;
  if (source.remoteAddress) request.remoteAddress = source.remoteAddress;
  return request;
}

/**
 * Runs a handler as the request of that id; neither throws nor rejects. A handler that throws is a bug of ours: it is
 * logged, the caller gets 500 and no detail.
 */
export function runHandler(
  handler: HttpHandler,
  request: HttpRequest,
  id: string | undefined,
): HttpResponse | Promise<HttpResponse> {
  try {
    const response = runAsRequest(id, () => handler(request));
    return response instanceof Promise ? response.catch((error) => toFailure(error, request, id)) : response;
  } catch (error) {
    return toFailure(error, request, id);
  }
}

function toFailure(error: unknown, { path }: HttpRequest, id: string | undefined): HttpResponse {
  log.error("a handler failed", error, { path, request: id });
  return toErrorAnswer(500, "The node failed to answer this request; its log says why.");
}
