/**
 * Connections on which nothing but plain POSTs come, one at a time and each in one piece or its body in a second one, as
 * JSON-RPC clients send them: these are answered here, in one write each. Invariant: at the first byte that is anything
 * else (any other method, more pieces, a request before the last one's answer) the connection is node:http's, from that
 * request on and for good; nothing was answered of it yet.
 */
import type { Socket } from "node:net";
import { runHandler, toNodeRequest } from "@/server/http/nodeRequest";
import { type PlainHead, readPlainHead } from "@/server/http/plainHead";
import { toDateLine, toResponseHead } from "@/server/http/responseHead";
import { sendStream } from "@/server/http/sendStream";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import { findRequestId, requestIdHeader } from "@/server/requestContext";

export type PlainPosts = {
  take(socket: Socket): void;
  /** Ends the connections that wait for a request, and the others with their answer. */
  endIdle(): void;
  cutAll(): void;
};

type Options = {
  /** undefined leaves a request to node:http. */
  findHandler: (method: string, path: string) => HttpHandler | undefined;
  /** A longer body is node:http's. */
  bodyBytes: number;
  /** How long a new connection may say nothing, and a head wait for its body before node:http has them. */
  firstByteTimeoutMs: number;
  /** How long a connection may be kept without a request. */
  keepAliveTimeoutMs: number;
  /** Gives the connection to node:http, with what was read of the next request put back. */
  handOver: (socket: Socket) => void;
  /** For one that said nothing at all. */
  refuseSilent: (socket: Socket) => void;
};

const headEnd = Buffer.from("\r\n\r\n");
/** A longer head is node:http's, which has a limit to it. */
const headBytes = 8 * 1024;
/** Most clients send the same head again, which is then known by its bytes. */
const keptHeadBytes = 1024;

/** A request's head with everything that follows from it alone. */
type Route = { head: PlainHead; handler: HttpHandler; id: string | undefined };
type Connection = { endIdle(): void; cut(): void };

export function createPlainPosts(options: Options): PlainPosts {
  const connections = new Set<Connection>();
  const keepAliveLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(options.keepAliveTimeoutMs / 1000)}\r\n`;
  let isEnding = false;

  /** end: where the body begins. */
  function findRoute(chunk: Buffer, end: number): Route | undefined {
    if (end < headEnd.length || end > headBytes) return undefined;
    const head = readPlainHead(chunk.toString("latin1", 0, end - headEnd.length));
    const handler = head && head.bodyLength <= options.bodyBytes ? options.findHandler("POST", head.path) : undefined;
    return head && handler && { head, handler, id: findRequestId(head.headers) };
  }

  function take(socket: Socket): void {
    const { remoteAddress } = socket;
    let isBusy = false;
    let isFirst = true;
    /** A head whose body is not there, or not all of it. */
    let begun: Buffer | undefined;
    /** What came while an answer was under way. */
    let early: Buffer | undefined;
    let abort: AbortController | undefined;
    let knownBytes: Buffer | undefined;
    let known: Route | undefined;

    const source = {
      socket,
      remoteAddress,
      toSignal() {
        abort ??= new AbortController();
        if (socket.destroyed) abort.abort();
        return abort.signal;
      },
    };

    function leave(chunk: Buffer): void {
      forget();
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(chunk);
      options.handOver(socket);
      socket.resume();
    }

    function forget(): void {
      connections.delete(connection);
      socket.off("data", onData);
      socket.off("timeout", onTimeout);
      socket.off("end", onEnd);
      socket.off("close", onClose);
      socket.off("error", onError);
    }

    function onData(chunk: Buffer): void {
      if (isBusy) {
        early = early ? Buffer.concat([early, chunk]) : chunk;
        socket.pause();
        return;
      }
      const whole = begun ? Buffer.concat([begun, chunk]) : chunk;
      const isKnown = knownBytes !== undefined && startsWith(whole, knownBytes);
      const end = isKnown ? knownBytes!.length : whole.indexOf(headEnd) + headEnd.length;
      const route = isKnown ? known : findRoute(whole, end);
      const missing = route ? end + route.head.bodyLength - whole.length : 0;
      if (!route || missing < 0 || (missing > 0 && begun)) {
        leave(whole);
        return;
      }
      if (!isKnown && end <= keptHeadBytes) {
        knownBytes = Buffer.from(whole.subarray(0, end));
        known = route;
      }
      if (missing > 0) {
        begun = whole;
        socket.setTimeout(options.firstByteTimeoutMs);
        return;
      }
      if (isFirst || begun) socket.setTimeout(options.keepAliveTimeoutMs);
      isFirst = false;
      begun = undefined;
      isBusy = true;
      const request = toNodeRequest(source, route.head, whole.subarray(end));
      const response = runHandler(route.handler, request, route.id);
      if (response instanceof Promise) void response.then((later) => send(later, route.id));
      else send(response, route.id);
    }

    function send(response: HttpResponse, id: string | undefined): void {
      const { body } = response;
      if (socket.destroyed || !socket.writable) {
        if (body instanceof ReadableStream) void body.cancel().catch(() => undefined);
        return;
      }
      try {
        const start = toResponseHead(response) + (id === undefined ? "" : `${requestIdHeader}: ${id}\r\n`);
        const end = toDateLine() + (isEnding ? "Connection: close\r\n" : keepAliveLines);
        if (body instanceof ReadableStream) {
          void sendChunks(`${start}${end}Transfer-Encoding: chunked\r\n\r\n`, body);
          return;
        }
        if (response.status === 204 || response.status === 304) socket.write(`${start}${end}\r\n`, "latin1");
        else if (!write(socket, start, end, body)) {
          socket.once("drain", finish);
          return;
        }
        finish();
      } catch (error) {
        socket.destroy(error as Error);
      }
    }

    async function sendChunks(head: string, body: ReadableStream<Uint8Array>): Promise<void> {
      socket.write(head, "latin1");
      try {
        await sendStream(socket, body, (chunk) => chunk.length === 0 || writeChunk(socket, chunk));
        if (!socket.writable) return;
        socket.write("0\r\n\r\n", "latin1");
        finish();
      } catch {
        // What was sent says that more follows: cutting the connection is all that can be said against it.
        socket.destroy();
      }
    }

    function finish(): void {
      isBusy = false;
      abort = undefined;
      if (isEnding) socket.destroySoon();
      else if (early) leave(early);
    }

    function onTimeout(): void {
      if (begun) leave(begun);
      else if (isFirst) {
        forget();
        options.refuseSilent(socket);
      } else if (!isBusy || socket.writableNeedDrain) socket.destroy();
    }

    function onEnd(): void {
      abort?.abort();
      socket.destroySoon();
    }

    function onError(): void {
      socket.destroy();
    }

    function onClose(): void {
      forget();
      abort?.abort();
    }

    const connection: Connection = {
      endIdle: () => void (isBusy || begun || socket.destroy()),
      cut: () => void socket.destroy(),
    };
    connections.add(connection);
    socket.on("data", onData);
    socket.on("timeout", onTimeout);
    socket.on("end", onEnd);
    socket.on("close", onClose);
    socket.on("error", onError);
    socket.setTimeout(options.firstByteTimeoutMs);
  }

  return {
    take,
    endIdle() {
      isEnding = true;
      for (const { endIdle } of [...connections]) endIdle();
    },
    cutAll() {
      for (const { cut } of [...connections]) cut();
    },
  };
}

function startsWith(chunk: Buffer, start: Buffer): boolean {
  return chunk.length >= start.length && start.compare(chunk, 0, start.length) === 0;
}

/** Head and body in one write; false where the caller reads more slowly than it is sent to. */
function write(socket: Socket, start: string, end: string, body: Uint8Array | string): boolean {
  const length = Buffer.byteLength(body);
  const head = `${start}content-length: ${length}\r\n${end}\r\n`;
  // A string of as many bytes as it has characters is ASCII.
  if (typeof body === "string" && length === body.length) return socket.write(head + body, "latin1");
  socket.cork();
  socket.write(head, "latin1");
  const isTaken = socket.write(body);
  socket.uncork();
  return isTaken;
}

function writeChunk(socket: Socket, chunk: Uint8Array): boolean {
  socket.cork();
  socket.write(`${chunk.length.toString(16)}\r\n`, "latin1");
  socket.write(chunk);
  const isTaken = socket.write("\r\n", "latin1");
  socket.uncork();
  return isTaken;
}
