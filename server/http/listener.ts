/**
 * The node:http server for all requests. Those under /api go to the node, all others to the pages. It limits the time
 * for a request's headers and body, the size of the headers, and how long a connection may be idle.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { catalogPath } from "@/lib/x402/catalog";
import { type Access, createAccess, loopbackRules } from "@/server/http/access";
import { toErrorAnswer, toTextRefusal } from "@/server/http/answers";
import { type BodyMemory, createBodyMemory } from "@/server/http/bodyMemory";
import { ignoreUpgrade } from "@/server/http/ignoreUpgrade";
import { listenOn } from "@/server/http/listenOn";
import { answerNodeRequest } from "@/server/http/nodeAdapter";
import { refuseUpgrade } from "@/server/http/refuseUpgrade";
import { findPathFault, splitTarget } from "@/server/http/requestTarget";
import type { HttpHandler, HttpResponse } from "@/server/http/types";

export type WebSockets = {
  /** Accepts or refuses an upgrade to WebSocket. Returns false if the path doesn't serve JSON-RPC. */
  accept(req: IncomingMessage, socket: Duplex, head: Buffer, mayControl: boolean): boolean;
  count(): number;
  /** Tells every client that the node is shutting down. Closes remaining connections one second later. */
  close(): Promise<void>;
};

export type PageHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** The handlers of the paths that the listener serves, known once the node is ready. */
export type Site = {
  findHandler: (path: string) => HttpHandler | undefined;
  /** Builds the response to a refused request, in the format that the requested path's clients expect. */
  toRefusal?: (path: string, status: number, sentence: string) => HttpResponse;
  /** If undefined, no pages are served. */
  pages?: PageHandler;
  /** If undefined, JSON-RPC is not served over WebSocket. */
  sockets?: WebSockets;
  /** Accepts WebSockets for the pages (hot reload). Returns false if it doesn't handle the request. */
  upgradePages?: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
};

/**
 * The PAYMENT-SIGNATURE header carries a whole payment payload, which may exceed Node's default limit of 16 KiB for
 * headers.
 */
const headerBytes = 32 * 1024;
const defaultHeadersTimeoutMs = 10_000;
/** How long a whole request may take to arrive. */
const requestTimeoutMs = 30_000;
/** Longer than a proxy's usual 60 s, so that the proxy closes an idle connection before this server does. */
const keepAliveTimeoutMs = 65_000;

const isWebSocket = (req: IncomingMessage) => req.headers.upgrade?.toLowerCase() === "websocket";

/**
 * From Node 24.9 on, this option decides whether to accept an upgrade. Requests that it declines are served as ordinary
 * requests; on older versions, ignoreUpgrade does that. The types for Node 22 don't include the option.
 */
const upgradeOptions = { shouldUpgradeCallback: isWebSocket };

const clientErrors: Record<string, [status: string, sentence: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", `The headers exceed ${headerBytes} bytes.`],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};

/**
 * Sends an error to a client whose request isn't HTTP, is too slow, or has headers that are too large. Then closes the
 * connection to it.
 */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = clientErrors[error.code ?? ""] ?? ["400 Bad Request", "Invalid HTTP request."];
  const body = JSON.stringify({ error: sentence });
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
}

/**
 * Whether a path belongs to the API: the paths under /api, the well-known path, and POST /. Tools that only have a host
 * and a port send JSON-RPC to POST /, and OPTIONS / is the preflight request for it.
 */
const isApiPath = (path: string, method = "GET") =>
  path === "/api" ||
  path.startsWith("/api/") ||
  path === catalogPath ||
  (path === "/" && (method === "POST" || method === "OPTIONS"));

const notFound: HttpHandler = async ({ path }) => toErrorAnswer(404, `No route for ${path}.`);

export type ListenerOptions = {
  /** 0 picks a free port. */
  port: number;
  /** Address to listen on. If undefined, the server listens on the loopback addresses. */
  host?: string | undefined;
  /** Maximum size of a request body. */
  bodyBytes: number;
  site: Promise<Site>;
  /** Limits the total size of the bodies that are still arriving. */
  memory?: BodyMemory;
  /** Which requests are accepted; by default, only those for a loopback name. */
  access?: Access;
  /** How long a connection may take to send a request's headers, including idle time. */
  headersTimeoutMs?: number;
};

export type Listener = { server: Server; port: number; close(): Promise<void> };

/**
 * Binds the port before the site is ready, so that an error is reported right away if the port is in use. Requests wait
 * until the site is ready. Rejects with Node's error (EADDRINUSE, EACCES, EADDRNOTAVAIL).
 */
export async function createListener(options: ListenerOptions): Promise<Listener> {
  const { port, host, bodyBytes, site, headersTimeoutMs = defaultHeadersTimeoutMs } = options;
  const { access = createAccess(loopbackRules), memory = createBodyMemory() } = options;
  let ready: Site | undefined;
  void site.then(
    (value) => {
      ready = value;
    },
    () => undefined,
  );

  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const { findHandler, pages, toRefusal } = ready ?? (await site);
    const { path } = splitTarget(req.url ?? "/");
    const refuse = (status: number, sentence: string) => {
      if (!isApiPath(path, req.method)) return toTextRefusal(status, sentence);
      return toRefusal?.(path, status, sentence) ?? toErrorAnswer(status, sentence);
    };
    const reading = { bodyBytes, access, memory, refuse };
    const refusal = access.findHostRefusal(req.headers.host);
    if (refusal !== undefined) return answerNodeRequest(() => refuse(421, refusal), req, res, reading);
    const fault = findPathFault(path);
    if (fault !== undefined) return answerNodeRequest(() => refuse(400, fault), req, res, reading);
    // Rejected here, because Next's Request type can't represent a TRACE request.
    if (req.method === "TRACE")
      return answerNodeRequest(() => refuse(405, "TRACE is not supported."), req, res, reading);
    if (!isApiPath(path, req.method) && pages) return pages(req, res);
    return answerNodeRequest(findHandler(path) ?? notFound, req, res, reading);
  };

  const server = createServer(
    {
      ...upgradeOptions,
      maxHeaderSize: headerBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs / 2,
      noDelay: true,
    },
    (req, res) => {
      answer(req, res).catch(() => res.destroy());
    },
  );
  server.on("clientError", answerClientError);
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });

  const upgrade = async (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { sockets, upgradePages } = ready ?? (await site);
    const refusal = access.findHostRefusal(req.headers.host);
    if (refusal !== undefined) return refuseUpgrade(socket, 421, refusal);
    if (isWebSocket(req)) {
      const mayControl = access.mayControl(req.headers, req.socket.remoteAddress);
      if (sockets?.accept(req, socket, head, mayControl)) return;
      if (!isApiPath(splitTarget(req.url ?? "/").path) && upgradePages?.(req, socket, head)) return;
    }
    ignoreUpgrade(server, req, socket, head);
  };
  server.on("upgrade", (req, socket, head) => {
    const drop = () => socket.destroy();
    socket.once("error", drop);
    upgrade(req, socket, head).catch(drop);
  });

  const listening = await listenOn(server, port, host);
  return {
    server,
    port: listening.port,
    /**
     * Stops accepting connections, lets running responses finish for two seconds, then closes the remaining
     * connections.
     */
    close: async () => {
      const socketsClosed = ready?.sockets?.close();
      await new Promise<void>((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), 2_000);
        // Keeps closing idle connections, because a connection becomes idle only after its response has ended.
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        listening.close(() => {
          clearTimeout(cut);
          clearInterval(sweep);
          resolve();
        });
        // node:http doesn't close connections that never received a byte from the client.
        for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      });
      await socketsClosed;
    },
  };
}
