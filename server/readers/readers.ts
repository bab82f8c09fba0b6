/**
 * The reading processes of this one: started, given their share of the connections, started again when they die, and
 * ended with it. Invariant: a connection goes to a reader that is ready or stays here, so that without any reader the
 * node answers as it does alone.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { log } from "@/server/log";
import type { ReaderBoard } from "@/server/readers/board";
import { dealConnections } from "@/server/readers/dealer";
import { createPrivateServer } from "@/server/readers/privateServer";
import type { ToMain, ToReader } from "@/server/readers/protocol";

export type Readers = {
  /** Resolves when every reader is ready or has failed once. */
  started: Promise<void>;
  /** Lets the readers answer what is under way and end; who has not in ten seconds is killed. */
  close(): Promise<void>;
};

type Place = {
  child: ChildProcess | undefined;
  ready: boolean;
  restarts: number;
  accepted: number;
  connections: number;
  requests: number;
  /** Ends in a row, since a process of this place last stood for a while. */
  failures: number;
  startedAtMs: number;
  timer: NodeJS.Timeout | undefined;
};

const entry = fileURLToPath(new URL("./reader.ts", import.meta.url));
/** Of a reader's own heap. What it keeps beside (SQLite's pages, the EVM's memory, code) is bounded too, and smaller. */
const heapMb = 256;
const shortestRestMs = 100;
const longestRestMs = 10_000;
/** A process that stood this long did not fail by what it is. */
const steadyMs = 30_000;
const shutdownMs = 10_000;

/** server: the public one, which has its port. */
export async function startReaders(options: {
  count: number;
  server: Server;
  port: number;
  board: ReaderBoard;
}): Promise<Readers> {
  const { count, server, port, board } = options;
  // Only we may enter the folder, and only who knows the secret is answered.
  const folder = mkdtempSync(join(tmpdir(), "tollscan-readers-"));
  const secret = randomBytes(32).toString("hex");
  const toPath = (name: string) =>
    process.platform === "win32" ? `\\\\.\\pipe\\tollscan-${secret.slice(0, 16)}-${name}` : join(folder, name);
  const main = { path: toPath("main"), secret };
  const privateServer = await createPrivateServer({ ...main, publicServer: server, port });
  const places = Array.from(
    { length: count },
    (): Place => ({
      child: undefined,
      ready: false,
      restarts: 0,
      accepted: 0,
      connections: 0,
      requests: 0,
      failures: 0,
      startedAtMs: 0,
      timer: undefined,
    }),
  );
  let ownConnections = 0;
  let isClosing = false;

  /** Resolves when the process is ready, or has ended without. */
  function start(place: Place, index: number): Promise<void> {
    const flags = process.execArgv.filter((flag) => !flag.startsWith("--inspect"));
    const child = fork(entry, [], { execArgv: [...flags, `--max-old-space-size=${heapMb}`] });
    place.child = child;
    place.startedAtMs = performance.now();
    send(child, { kind: "open", socket: toPath(`${index}-${place.restarts}`), main });
    return new Promise((resolve) => {
      child.on("message", (message: ToMain) => {
        if (message.kind === "ready") {
          place.ready = !isClosing;
          resolve();
        } else if (message.kind === "ended") place.connections -= message.connections;
        else place.requests += board.note(index, message.figures);
      });
      child.on("error", (error) => log.error("a reader could not be reached", error));
      child.once("exit", (code, signal) => {
        leave(place, index, code ?? signal ?? "");
        resolve();
      });
    });
  }

  function leave(place: Place, index: number, how: number | string): void {
    Object.assign(place, { child: undefined, ready: false, connections: 0 });
    board.leave(index);
    if (isClosing) return;
    place.failures = performance.now() - place.startedAtMs > steadyMs ? 1 : place.failures + 1;
    const restMs = Math.min(shortestRestMs * 2 ** (place.failures - 1), longestRestMs);
    log.warn("a reader ended and is started again", { reader: index, how, restMs });
    place.restarts++;
    place.timer = setTimeout(() => void start(place, index), restMs).unref();
  }

  /** To whoever has the fewest, this process among them. */
  function deal(socket: Socket): boolean {
    if (isClosing) return false;
    let target: Place | undefined;
    for (const place of places) {
      if (place.ready && (!target || place.connections < target.connections)) target = place;
    }
    if (!target?.child || ownConnections < target.connections) {
      ownConnections++;
      socket.once("close", () => ownConnections--);
      return false;
    }
    target.accepted++;
    target.connections++;
    const message: ToReader = { kind: "connection" };
    target.child.send(message, socket, (error) => error && socket.destroy());
    return true;
  }

  board.follow(() =>
    places.map(({ child, ready, restarts, accepted, connections, requests }) => {
      return { pid: child?.pid ?? null, ready, restarts, accepted, connections, requests };
    }),
  );
  dealConnections(server, deal);
  const started = Promise.all(places.map((place, index) => start(place, index))).then(() => undefined);

  return {
    started,
    async close() {
      isClosing = true;
      const ended = places.map((place) => {
        clearTimeout(place.timer);
        return place.child && end(place.child, place.ready);
      });
      await Promise.all(ended);
      await privateServer.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What cannot be told any more needs not be: the process ends with its channel. */
function send(child: ChildProcess, message: ToReader): void {
  child.send(message, () => undefined);
}

/** One that is not ready has nothing to end. */
async function end(child: ChildProcess, isReady: boolean): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const cut = setTimeout(() => child.kill("SIGKILL"), isReady ? shutdownMs : 0);
  if (isReady) send(child, { kind: "close" });
  await gone;
  clearTimeout(cut);
}
