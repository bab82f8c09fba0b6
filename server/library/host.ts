/**
 * The thread that runs all nodes of createTollscan. What happens in the test suite's own thread, such as fake timers, a
 * mocked fetch or a busy event loop, doesn't affect it.
 */
import { parentPort } from "node:worker_threads";
import { getAddress } from "viem";
import { isSameAddress } from "@/lib/contracts";
import { createWebSockets } from "@/server/api/websocket";
import { type Config, loadConfig } from "@/server/config/config";
import { ConfigError } from "@/server/config/environment.mjs";
import { findErrorCode } from "@/server/ethereum/errors";
import { createBodyMemory } from "@/server/http/bodyMemory";
import { createListener, type Site } from "@/server/http/listener";
import { createNode } from "@/server/node/node";
import { type Start, toStart } from "@/server/node/startBanner";

/** `id` identifies the node. */
export type ToHost = { id: number } & ({ kind: "open"; settings: Record<string, string> } | { kind: "close" });
export type FromHost = { id: number } & (
  | { kind: "opened"; start: Start }
  | { kind: "closed" }
  | { kind: "failed"; code: unknown; message: string }
);

type Server = { start: Start; close(): Promise<void> };

const servers = new Map<number, Server>();

async function open(settings: Record<string, string>): Promise<Server> {
  const config = { ...loadConfig(settings, process.cwd()), isKept: false };
  const { port, host, limits } = config;
  const memory = createBodyMemory(limits.openBodyBytes);
  const { promise: site, resolve: setSite } = Promise.withResolvers<Site>();
  const node = await createNode(config);
  const { access, findHandler, toRefusal, findSubscriptions } = node;
  const { bodyBytes } = limits;
  try {
    const listener = await createListener({ port, host, bodyBytes, memory, access, site }).catch((error) => {
      throw findErrorCode(error) === "EADDRINUSE"
        ? new ConfigError(`PORT ${port} is in use; omit PORT to use a free one.`)
        : error;
    });
    setSite({ findHandler, toRefusal, sockets: createWebSockets({ find: findSubscriptions, limits, memory }) });
    return {
      start: { ...toStart(config, listener.port), accounts: listAccounts(config) },
      // `node.close()` ends the streams that `listener.close()` waits for.
      close: async () => void (await Promise.all([node.close(), listener.close()])),
    };
  } catch (error) {
    await node.close();
    throw error;
  }
}

/** The funded accounts of the mnemonic that the suite chose, with their keys. */
function listAccounts({ networks }: Config): Start["accounts"] {
  const all = networks.flatMap(({ accounts, funded }) =>
    accounts.filter((account) => funded.some(({ address }) => isSameAddress(address, account.address))),
  );
  const byAddress = new Map(all.map(({ address, privateKey }) => [address, privateKey]));
  return [...byAddress].map(([address, privateKey]) => ({ address: getAddress(address), privateKey }));
}

async function answer(message: ToHost): Promise<FromHost> {
  const { id } = message;
  try {
    if (message.kind === "open") {
      const server = await open(message.settings);
      servers.set(id, server);
      return { id, kind: "opened", start: server.start };
    }
    await servers.get(id)?.close();
    servers.delete(id);
    return { id, kind: "closed" };
  } catch (error) {
    return {
      id,
      kind: "failed",
      code: findErrorCode(error),
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

parentPort?.on("message", (message: ToHost) => void answer(message).then((result) => parentPort?.postMessage(result)));
