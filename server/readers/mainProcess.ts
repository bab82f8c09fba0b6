/**
 * What a reader asks of the main process, over its private socket: whole requests as they came, upgrades, single calls.
 * Invariant: each says for which client it is, and ends with it.
 */
import { Agent, type IncomingMessage, type RequestOptions, type ServerResponse, request as send } from "node:http";
import { connect } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { toErrorAnswer } from "@/server/http/answers";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { clientHeader, toClientHeader } from "@/server/readers/clientHeader";
import { requestIdHeader } from "@/server/requestContext";
import type { Caller } from "@/server/rpc/context";
import { RpcError } from "@/server/rpc/errors";
import { toResultText } from "@/server/rpc/finalAnswers";

export type MainProcess = {
  /** Has a request of which the body is here already answered there. */
  pass: HttpHandler;
  /** Has a request answered there, byte for byte and as it comes. */
  passThrough(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Joins the connection of an upgrade with one to there. */
  passUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Upgraded connections that are open. */
  countUpgraded(): number;
  /** Runs one method there and answers its result as JSON; rejects with RpcError alone. */
  call(network: string, method: string, params: unknown, caller: Caller): Promise<string>;
  /** Resolves when the upgraded connections have ended, by the main process or in two seconds by us. */
  close(): Promise<void>;
};

/** A longer answer is handed on as it comes. */
const wholeBytes = 1024 * 1024;
const closeGraceMs = 2_000;
/** Of the one connection, which is another one on the other side; and what only we may say. */
const ofConnection = new Set(["connection", "keep-alive", "transfer-encoding", "expect", "date", clientHeader]);
const gone = "The node's main process does not answer; ask again.";

/** Connections are kept without end, so that none closes while a request is on its way. */
export function createMainProcess({ path: socketPath, secret }: { path: string; secret: string }): MainProcess {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256 });
  const joined = new Set<Duplex>();

  /** headers: names and values in turn. */
  function open(options: Pick<RequestOptions, "method" | "path">, address: string | undefined, headers: string[]) {
    const all = [...toClientHeader(secret, address), ...headers];
    return send({ ...options, socketPath, agent, headers: all });
  }

  function ask(request: HttpRequest): Promise<IncomingMessage> {
    const { method, path, query, headers, body, remoteAddress, signal } = request;
    const search = query.size > 0 ? `?${query}` : "";
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnection.has(name) || name === "content-length" ? [] : [name, value],
    );
    return new Promise((resolve, reject) => {
      const length = body.length > 0 ? ["content-length", String(body.length)] : [];
      const asked = open({ method, path: `${path}${search}` }, remoteAddress, [...given, ...length]);
      asked.on("response", resolve);
      asked.on("error", reject);
      signal?.addEventListener("abort", () => asked.destroy(), { once: true });
      asked.end(body);
    });
  }

  const pass: HttpHandler = async (request) => {
    try {
      return await toHttpResponse(await ask(request));
    } catch {
      return toErrorAnswer(502, gone);
    }
  };

  return {
    pass,

    passThrough(req, res) {
      return new Promise((resolve) => {
        const headers = toRawHeaders(req.rawHeaders);
        const { method, url: path, socket } = req;
        const asked = open({ method, path }, socket.remoteAddress, headers);
        // Whoever of the two goes away takes the other along.
        res.once("close", () => {
          asked.destroy();
          resolve();
        });
        asked.on("error", () => {
          if (res.headersSent) res.destroy();
          else res.writeHead(502, { "content-type": "application/json" }).end(JSON.stringify({ error: gone }));
        });
        asked.on("response", (answer) => {
          const last = answer.headers.connection === "close" ? ["connection", "close"] : [];
          res.writeHead(answer.statusCode!, answer.statusMessage, [...toRawHeaders(answer.rawHeaders), ...last]);
          res.flushHeaders();
          answer.on("error", () => res.destroy());
          answer.pipe(res);
        });
        req.pipe(asked);
      });
    },

    passUpgrade(req, socket, head) {
      const other = connect({ path: socketPath, allowHalfOpen: true });
      const given = req.rawHeaders.filter((_, at, all) => all[at - (at % 2)]!.toLowerCase() !== clientHeader);
      const lines = [...toClientHeader(secret, req.socket.remoteAddress), ...given];
      other.write(`${req.method} ${req.url} HTTP/1.1\r\n${toLines(lines)}\r\n`, "latin1");
      other.write(head);
      const drop = () => {
        joined.delete(socket);
        other.destroy();
        socket.destroy();
      };
      joined.add(socket);
      for (const side of [other, socket]) side.on("error", drop).on("close", drop);
      socket.pipe(other);
      other.pipe(socket);
    },

    countUpgraded: () => joined.size,

    async call(network, method, params, { address }) {
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      const headers = ["content-type", "application/json", "content-length", String(body.length)];
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const asked = open({ method: "POST", path: `/api/rpc/${network}` }, address, ["host", "main", ...headers]);
        asked.on("response", resolve);
        asked.on("error", reject);
        asked.end(body);
      });
      const { result, error } = JSON.parse((await readWhole(answer)).toString());
      if (error) throw new RpcError(error.code, error.message, error.data);
      return toResultText(result);
    },

    async close() {
      const ended = [...joined].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      const cut = setTimeout(() => {
        for (const socket of joined) socket.destroy();
      }, closeGraceMs);
      await Promise.all(ended);
      clearTimeout(cut);
      agent.destroy();
    },
  };
}

/** Names and values in turn, without those of the one connection. */
function toRawHeaders(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !ofConnection.has(raw[at - (at % 2)]!.toLowerCase()));
}

function toLines(raw: readonly string[]): string {
  return raw.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
}

/** A short answer whole, a long one as it comes. */
async function toHttpResponse(answer: IncomingMessage): Promise<HttpResponse> {
  const { "content-length": length, ...given } = answer.headers;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    // Which request it is of is said here too.
    if (value !== undefined && !ofConnection.has(name) && name !== requestIdHeader) headers[name] = String(value);
  }
  const status = answer.statusCode!;
  if (status === 204 || Number(length) <= wholeBytes) return { status, headers, body: await readWhole(answer) };
  return { status, headers, body: Readable.toWeb(answer) as ReadableStream };
}

async function readWhole(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks);
}
