/**
 * JSON-RPC over WebSocket: the upgrade, and what one socket may cost. Every bound ends in a refusal or a dropped
 * client, never in memory that grows: sockets in total, bytes of a message, answers under way, events left unread.
 */
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Limits } from "@/server/config";
import type { WebSockets } from "@/server/http/listener";
import { splitTarget } from "@/server/http/requestTarget";
import type { Session, Subscriptions } from "@/server/rpc/subscriptions";

/** Messages of one socket that run at the same time. */
const concurrency = 16;
/** While more than this is unread, no further message of the client is started. */
const pendingAnswerBytes = 1024 * 1024;
/** A client that leaves more than this of events unread is dropped: it would never catch up. */
const unreadEventBytes = 4 * 1024 * 1024;
const closeGraceMs = 1_000;
/** RFC 6455 7.4.1: the endpoint is going away. */
const goingAway = 1001;

/**
 * find answers which chain's JSON-RPC is served at a path. A client that answers neither of two pings in a row is cut.
 * Any Origin is let in, as CORS lets any page read the same answers: no cookie and no key of the caller is involved.
 */
export function createWebSockets(options: {
  find: (path: string) => Subscriptions | undefined;
  limits: Pick<Limits, "bodyBytes" | "sockets">;
  pingIntervalMs?: number;
}): WebSockets {
  const { find, limits } = options;
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

  return {
    accept(req, socket, head) {
      const subscriptions = find(splitTarget(req.url ?? "/").path);
      if (!subscriptions) return false;
      if (isClosing) refuse(socket, "The node is shutting down.");
      else if (clients.size >= limits.sockets) {
        refuse(socket, "Too many WebSocket connections are open (TOLLSCAN_LIMIT_SOCKETS).");
      } else {
        server.handleUpgrade(req, socket, head, (ws) => {
          clients.set(ws, serve(ws, subscriptions, req.socket.remoteAddress));
          ws.on("close", () => clients.delete(ws));
        });
      }
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

type Client = { ping(): void };

function serve(ws: WebSocket, subscriptions: Subscriptions, address: string | undefined): Client {
  const waiting: Buffer[] = [];
  let running = 0;
  let eventBytes = 0;
  let isAlive = true;

  const session: Session = subscriptions.open(address, (text, kind) => {
    if (ws.readyState !== ws.OPEN) return;
    const cost = kind === "event" ? text.length : 0;
    if (cost > 0 && eventBytes + cost > unreadEventBytes) {
      ws.terminate();
      return;
    }
    eventBytes += cost;
    ws.send(text, () => {
      eventBytes -= cost;
      isAlive = true;
      startWaiting();
    });
  });

  /** Reading stops while messages wait, so that the sender and not we keep what is too much. */
  function startWaiting(): void {
    while (running < concurrency && ws.bufferedAmount <= pendingAnswerBytes) {
      const body = waiting.shift();
      if (!body) break;
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
    isAlive = true;
    waiting.push(data);
    startWaiting();
  });
  ws.on("pong", () => {
    isAlive = true;
  });
  // Whatever is wrong with a frame, the library answers it with a close of its own.
  ws.on("error", () => undefined);
  ws.on("close", () => {
    waiting.length = 0;
    session.close();
  });

  return {
    ping() {
      // While its own requests run its pong may stand behind messages that we do not read yet.
      if (!isAlive && running === 0) {
        ws.terminate();
        return;
      }
      isAlive = false;
      ws.ping();
    },
  };
}

function refuse(socket: Duplex, sentence: string): void {
  const body = JSON.stringify({ error: sentence });
  const head = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 30";
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
}
