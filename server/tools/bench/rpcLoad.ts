/**
 * Generates load by sending HTTP POSTs over keep-alive connections. Writes directly to sockets, because Node's HTTP
 * clients use more CPU than the servers. A request isn't counted until its whole response has arrived with status 200.
 */
import { connect, type Socket } from "node:net";

export type Load = { answers: number; seconds: number };
type Target = { port: number; path: string };
type Connection = { post(body: Buffer): Promise<Buffer>; close(): void };

/** Opens a keep-alive connection. `postText` returns the text of the response. */
export async function openConnection(
  target: Target,
): Promise<{ postText(body: string): Promise<string>; close(): void }> {
  const { post, close } = await open(target);
  return { postText: async (body) => toText(await post(toRequest(target, body))), close };
}

const headerEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * Posts the bodies in rotation for the given time. Throws if a status is not 200, or if the first response on a
 * connection is a JSON-RPC error.
 */
export async function runLoad(
  target: Target,
  bodies: readonly string[],
  { connections, durationMs }: { connections: number; durationMs: number },
): Promise<Load> {
  let next = 0;
  const clients = await openClients(target, connections);
  try {
    return await clients.runWhile(durationMs, () => bodies[next++ % bodies.length]);
  } finally {
    clients.close();
  }
}

/** Posts each body once. */
export async function runAll(target: Target, bodies: readonly string[], connections: number): Promise<Load> {
  let next = 0;
  const clients = await openClients(target, connections);
  try {
    return await clients.runWhile(Number.POSITIVE_INFINITY, () => bodies[next++]);
  } finally {
    clients.close();
  }
}

export type Clients = {
  /** For the given time, posts the bodies that `take` returns. Stops early if `take` returns undefined. */
  runWhile(durationMs: number, take: () => string | undefined): Promise<Load>;
  close(): void;
};

/** Opens clients with one connection each. The connections stay open between runs. */
export async function openClients(target: Target, connections: number): Promise<Clients> {
  const opened = await Promise.all(Array.from({ length: connections }, () => open(target)));
  return {
    async runWhile(durationMs, take) {
      const startMs = performance.now();
      let answers = 0;
      await Promise.all(
        opened.map(async ({ post }) => {
          let isFirst = true;
          while (performance.now() < startMs + durationMs) {
            const body = take();
            if (body === undefined) break;
            const answer = await post(toRequest(target, body));
            if (isFirst) assertAnswer(body, answer);
            isFirst = false;
            answers++;
          }
        }),
      );
      return { answers, seconds: (performance.now() - startMs) / 1000 };
    },
    close() {
      for (const { close } of opened) close();
    },
  };
}

const requests = new Map<string, Buffer>();

/** Cached, because most loads repeat a few bodies. */
function toRequest({ port, path }: Target, body: string): Buffer {
  const key = `${port}${body}`;
  const known = requests.get(key);
  if (known) return known;
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  const request = Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  if (requests.size > 1_000) requests.clear();
  requests.set(key, request);
  return request;
}

/** Returns the body of a response. */
const toText = (answer: Buffer) => answer.subarray(answer.indexOf(headerEnd) + headerEnd.length).toString();

function assertAnswer(body: string, answer: Buffer): void {
  const text = toText(answer);
  if (/"error":\s*\{/.test(text)) throw new Error(`The response to ${body.slice(0, 200)} is ${text.slice(0, 300)}`);
}

function open({ port }: Target): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1");
    let parts: Buffer[] = [];
    let received = 0;
    /**
     * The length of the response including its headers. Undefined until the headers have arrived, and Infinity if the
     * response is chunked.
     */
    let expected: number | undefined;
    let settle: { resolve(answer: Buffer): void; reject(error: Error): void } | undefined;
    const fail = (error: Error) => (settle ? settle.reject(error) : reject(error));
    socket.setNoDelay(true);
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("The server closed a keep-alive connection.")));
    socket.on("data", (chunk) => {
      parts.push(chunk);
      received += chunk.length;
      if (expected === undefined) {
        const whole = parts.length === 1 ? chunk : Buffer.concat(parts);
        const end = whole.indexOf(headerEnd);
        if (end === -1) return;
        const head = whole.toString("latin1", 0, end);
        if (!head.startsWith("HTTP/1.1 200")) fail(new Error(`The server responded with ${head.split("\r\n")[0]}.`));
        const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
        expected = length === undefined ? Number.POSITIVE_INFINITY : end + headerEnd.length + Number(length);
      }
      const isWhole =
        expected === Number.POSITIVE_INFINITY
          ? chunk.subarray(-lastChunk.length).equals(lastChunk)
          : received >= expected;
      if (!isWhole) return;
      const answer = parts.length === 1 ? chunk : Buffer.concat(parts);
      parts = [];
      received = 0;
      expected = undefined;
      settle?.resolve(answer);
    });
    socket.on("connect", () =>
      resolve({
        post: (body) =>
          new Promise((onAnswer, onError) => {
            settle = { resolve: onAnswer, reject: onError };
            socket.write(body);
          }),
        close() {
          settle = { resolve() {}, reject() {} };
          socket.destroy();
        },
      }),
    );
  });
}
