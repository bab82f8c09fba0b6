/**
 * The process that reads: it answers what is committed and passes on the rest, on connections that the main process
 * accepted. Started by server/readers/readers.ts. Invariant: it is gone as soon as the main process is.
 */
import type { Socket } from "node:net";
import { loadConfig } from "@/server/config";
import { createListener, type Site } from "@/server/http/listener";
import { createPathTable } from "@/server/http/routes";
import type { HttpHandler } from "@/server/http/types";
import { log } from "@/server/log";
import { createMainProcess, type MainProcess } from "@/server/readers/mainProcess";
import type { ToMain, ToReader } from "@/server/readers/protocol";
import { openReadingChain, type ReadingChain } from "@/server/readers/readingChain";
import { createReadingRpc, type ReadingRpc } from "@/server/readers/readingRpc";

/** How long counts are kept back, so that they cost no message per request. */
const figuresIntervalMs = 100;
/** Above what the listener and the main process's connections take to end. */
const shutdownMs = 8_000;

type Network = { name: string; chainId: number; reading: ReadingChain; rpc: ReadingRpc };

const config = loadConfig(process.env, process.cwd());
// A terminal signals the whole group: when we end is the main process's to say.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit(0));
// It may have gone while this was loaded.
if (!process.connected) process.exit(0);
process.once("message", (message: ToReader) => {
  if (message.kind !== "open") throw new Error(`A reader was told to ${message.kind} before it was open.`);
  start(message).catch((error) => {
    log.error("a reader could not start", error);
    process.exit(1);
  });
});

function tell(message: ToMain): void {
  process.send?.(message);
}

async function openNetworks(main: MainProcess): Promise<Network[]> {
  const here = config.networks.filter(({ name }) => !config.publicNodes.has(name));
  return Promise.all(
    here.map(async (network) => {
      const reading = await openReadingChain(config, network);
      const { name, chainId } = network;
      return { name, chainId, reading, rpc: createReadingRpc(config, network, reading, main) };
    }),
  );
}

/** The paths of the networks that are read here; the bare one is the first network's, where that is here. */
function toRoutes(networks: readonly Network[]): Record<string, HttpHandler> {
  const base = "/api/rpc";
  const toPaths = ({ name, chainId }: Network) => [
    `${base}/${name}`,
    `${base}/${chainId}`,
    ...(name === config.networks[0].name ? [base] : []),
  ];
  return Object.fromEntries(
    networks.flatMap((network) => toPaths(network).map((path) => [path, network.rpc.handler] as const)),
  );
}

async function start({ socket: path, main: address }: Extract<ToReader, { kind: "open" }>): Promise<void> {
  const main = createMainProcess(address);
  const networks = await openNetworks(main);
  const find = createPathTable(toRoutes(networks));
  const site: Site = {
    findHandler: (method, at) => (method === "POST" ? find(at) : undefined),
    pages: main.passThrough,
    others: main.passThrough,
    sockets: {
      accept(req, socket, head) {
        main.passUpgrade(req, socket, head);
        return true;
      },
      count: main.countUpgraded,
      close: main.close,
    },
  };
  const listener = await createListener({
    port: path,
    bodyBytes: config.limits.bodyBytes,
    site: Promise.resolve(site),
  });
  const figures = createFigures(networks);
  const telling = setInterval(figures.tell, figuresIntervalMs);
  let ended = 0;

  function tellEnded(): void {
    tell({ kind: "ended", connections: ended });
    ended = 0;
  }

  function take(socket: Socket): void {
    socket.once("close", () => {
      if (ended++ === 0) setImmediate(tellEnded);
    });
    // As a connection that is accepted here has it.
    socket.allowHalfOpen = true;
    listener.server.emit("connection", socket);
    socket.resume();
  }

  async function close(): Promise<void> {
    setTimeout(() => process.exit(1), shutdownMs).unref();
    await listener.close();
    clearInterval(telling);
    figures.tell();
    for (const { reading, rpc } of networks) {
      rpc.close();
      await reading.close();
    }
    process.disconnect();
  }

  process.on("message", (message: ToReader, socket?: Socket) => {
    // A client that went away on the way has no socket any more.
    if (message.kind === "connection" && socket) take(socket);
    if (message.kind === "close") void close();
  });
  tell({ kind: "ready" });
}

/** Tells what was counted, where it was. */
function createFigures(networks: readonly Network[]): { tell(): void } {
  let told = "";
  return {
    tell() {
      const loads = JSON.stringify(networks.map(({ reading }) => reading.load()));
      const figures = networks.map(({ name, reading, rpc }) => ({
        network: name,
        methods: rpc.statistics.take(),
        executor: reading.load(),
      }));
      if (loads === told && figures.every(({ methods }) => methods.length === 0)) return;
      told = loads;
      tell({ kind: "figures", figures });
    },
  };
}
