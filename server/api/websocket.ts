/**
 * JSON-RPC over WebSocket: the upgrade and the limits of each socket. Above a limit, requests are rejected or the
 * client is disconnected. If all sockets are in use, a new client can replace the newest socket of the client that has
 * the most.
 */
import type { Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { Limits } from "@/server/config/config";
import { type BodyMemory, type BodyShare, chunkBytes, createBodyMemory } from "@/server/http/bodyMemory";
import type { WebSockets } from "@/server/http/listener";
import { toClientKey } from "@/server/http/rateLimit";
import { refuseUpgrade } from "@/server/http/refuseUpgrade";
import { splitTarget } from "@/server/http/requestTarget";
import type { Caller } from "@/server/rpc/ports";
import type { Session, Subscriptions } from "@/server/rpc/subscriptions";

/** How many messages per socket are processed concurrently. */
const concurrency = 16;
/** If a client has more than this many bytes left to read, its further messages wait. */
const pendingAnswerBytes = 1024 * 1024;
/** If a client has more than this many bytes of events left to read, it can't catch up and is disconnected. */
const unreadEventBytes = 4 * 1024 * 1024;
const closeGraceMs = 1_000;
/**
 * A client that misses this many pings in a row is disconnected. One missed ping may only mean that either side was
 * busy.
 */
const missedPings = 2;
const retryLater = ["retry-after: 30"];
/** RFC 6455 7.4.1: the endpoint is going away. */
const goingAway = 1001;
/** The close code "Try Again Later" from IANA's registry. */
const tryAgainLater = 1013;
/** A WebSocket frame's header takes at most this many bytes (RFC 6455 5.2). */
const frameHeadBytes = 14;

/**
 * `find` returns the JSON-RPC endpoint at a path. A client that misses two pings in a row is disconnected. A page of
 * any origin may connect, just as CORS allows over HTTP; `mayControl` decides whether the client may also change the
 * chain.
 */
export function createWebSockets(options: {
  find: (path: string) => Pick<Subscriptions, "open"> | undefined;
  limits: Pick<Limits, "bodyBytes" | "sockets">;
  /** The memory budget shared with bodies that arrive over HTTP. */
  memory?: BodyMemory;
  pingIntervalMs?: number;
}): WebSockets {
  const { find, limits, memory = createBodyMemory() } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression costs memory per socket, and proxies compress better.
    perMessageDeflate: false,
    maxPayload: limits.bodyBytes,
  });
  const clients = new Map<WebSocket, Client>();
  let isClosing = false;

  const pinging = setInterval(() => {
    for (const client of clients.values()) client.ping();
  }, options.pingIntervalMs ?? 20_000);
  pinging.unref();

  /**
   * Closes the newest socket of the client with the most sockets, if that client has at least two more than this one.
   */
  function makeRoom(address: string): boolean {
    const byAddress = Map.groupBy(clients.entries(), ([, client]) => client.address);
    const [greediest = []] = [...byAddress.values()].sort((a, b) => b.length - a.length);
    const newest = greediest.at(-1)?.[0];
    if (!newest || greediest.length <= (byAddress.get(address)?.length ?? 0) + 1) return false;
    clients.delete(newest);
    newest.close(tryAgainLater, "Closed to make room for another client (TOLLSCAN_LIMIT_SOCKETS).");
    return true;
  }

  return {
    accept(req, socket, head, mayControl) {
      const subscriptions = find(splitTarget(req.url ?? "/").path);
      if (!subscriptions) return false;
      if (isClosing) {
        refuseUpgrade(socket, 503, "The node is shutting down.", retryLater);
        return true;
      }
      const address = toClientKey({ remoteAddress: req.socket.remoteAddress, headers: {} });
      if (clients.size >= limits.sockets && !makeRoom(address)) {
        const why = "Too many WebSocket connections are open; close one or raise TOLLSCAN_LIMIT_SOCKETS.";
        refuseUpgrade(socket, 503, why, retryLater);
        return true;
      }
      server.handleUpgrade(req, socket, head, (ws) => {
        clients.set(ws, serve(ws, subscriptions, { address, mayControl }, memory));
        countBody(
          ws,
          req.socket,
          memory.open(address, () => ws.terminate()),
        );
        ws.on("close", () => clients.delete(ws));
      });
      return true;
    },
    count: () => clients.size,
    async close() {
      isClosing = true;
      clearInterval(pinging);
      const ended = [...clients.keys()].map((ws) => {
        ws.close(goingAway, "The node is shutting down.");
        return new Promise<void>((resolve) => ws.once("close", () => resolve()));
      });
      const cut = setTimeout(() => {
        for (const ws of clients.keys()) ws.terminate();
      }, closeGraceMs);
      await Promise.all(ended);
      clearTimeout(cut);
    },
  };
}

type Client = { address: string; ping(): void };

/** Counts the bytes of the incoming message against the memory budget. */
function countBody(ws: WebSocket, socket: Socket, share: BodyShare): void {
  const onControl = (data: Buffer) => share.remove(data.length + frameHeadBytes);
  // Runs before the WebSocket reads the chunk and emits the complete message.
  socket.prependListener("data", (chunk: Buffer) => share.add(chunk.length));
  ws.on("message", () => share.remove(Number.POSITIVE_INFINITY));
  ws.on("ping", onControl);
  ws.on("pong", onControl);
  ws.on("close", share.close);
}

function serve(
  ws: WebSocket,
  subscriptions: Pick<Subscriptions, "open">,
  caller: Caller & { address: string },
  memory: BodyMemory,
): Client {
  const waiting: Buffer[] = [];
  const share = memory.open(caller.address, () => ws.terminate());
  let running = 0;
  let eventBytes = 0;
  /** Pings sent since the client last sent or received something. */
  let unansweredPings = 0;

  const session: Session = subscriptions.open(caller, (text, kind) => {
    if (ws.readyState !== ws.OPEN) return;
    const cost = kind === "event" ? text.length : 0;
    if (cost > 0 && eventBytes + cost > unreadEventBytes) {
      ws.terminate();
      return;
    }
    eventBytes += cost;
    ws.send(text, () => {
      eventBytes -= cost;
      unansweredPings = 0;
      startWaiting();
    });
  });

  /**
   * Starts as many waiting messages as the limits allow. Pauses the socket while any are left, so that the backlog
   * stays with the sender.
   */
  function startWaiting(): void {
    while (running < concurrency && ws.bufferedAmount <= pendingAnswerBytes) {
      const body = waiting.shift();
      if (!body) break;
      share.remove(body.length + chunkBytes);
      running++;
      void session.receive(body).finally(() => {
        running--;
        startWaiting();
      });
    }
    if (waiting.length > 0) ws.pause();
    else ws.resume();
  }

  ws.on("message", (data: Buffer) => {
    unansweredPings = 0;
    waiting.push(data);
    share.add(data.length);
    startWaiting();
  });
  ws.on("pong", () => {
    unansweredPings = 0;
  });
  // The library closes the socket after any invalid frame, so there is nothing to do.
  ws.on("error", () => undefined);
  ws.on("close", () => {
    waiting.length = 0;
    share.close();
    session.close();
  });

  return {
    address: caller.address,
    ping() {
      // While requests are running, the pong may be queued behind unread messages.
      if (unansweredPings >= missedPings && running === 0) {
        ws.terminate();
        return;
      }
      unansweredPings++;
      ws.ping();
    },
  };
}
