/**
 * A network backed by a remote node: sends requests to that node, tracks its head, keeps a local payment ledger, and
 * serves the JSON-RPC methods. It opens only if the remote node serves the configured chain.
 */

import type { Config, PublicNode } from "@/server/config/config";
import { ConfigError } from "@/server/config/environment.mjs";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { toStoreLocation } from "@/server/config/storeLocation";
import { log } from "@/server/log/log";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Store } from "@/server/ports/store";
import { followHeads, type Heads, type WireHead } from "@/server/remote/heads";
import { createDispatcher, type Dispatcher } from "@/server/rpc/dispatch";
import type { Ports } from "@/server/rpc/ports";
import type { Problems } from "@/server/rpc/problems";
import { createRemoteNetwork } from "@/server/rpc/remoteNetwork";
import { openStore } from "@/server/storage/open";
import { createHttpRequest, UpstreamError } from "@/server/upstream/httpRequest";

export type PublicNetwork = {
  /** Sends a request straight to the remote node. Rejects with UpstreamError if the node doesn't respond. */
  request: Eip1193Request;
  heads: Heads;
  genesisHash: `0x${string}`;
  /** The local store. It contains only payments. */
  store: Store;
  problems: Problems;
  dispatcher: Dispatcher;
  close(): Promise<void>;
};

const pollMs = 1_000;

/** If the node doesn't respond or serves another chain, rejects with a ConfigError before anything is written. */
export async function createPublicNetwork(
  config: Pick<Config, "dataDir" | "databaseUrl" | "isKept" | "limits">,
  network: NetworkConfig,
  { url, variable }: PublicNode,
  found: Pick<Ports, "names" | "resources">,
): Promise<PublicNetwork> {
  const { limits } = config;
  const { name, chainId } = network;
  const closing = new AbortController();
  const request = createHttpRequest({
    name,
    url,
    responseBytes: limits.responseBytes,
    queue: limits.callQueue,
    signal: closing.signal,
  });
  const { first, genesisHash } = await readStart(request, chainId).catch((error) => {
    // The message describes a problem with the remote node and is safe to show. A TypeError would be a bug in this
    // program.
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    throw new ConfigError(`${variable} cannot be used: ${error.message.replace(/\.$/, "")}.`);
  });
  // The file name includes the chain ID, so that each chain has its own ledger.
  const store = await openStore(toStoreLocation(config, `${name}-${chainId}.payments`), { readonly: false });
  const heads = followHeads({
    request,
    first,
    pollMs,
    onOutage: (error) => log.error("the remote node stopped responding", error, { network: name }),
    onReturn: () => log.info("the remote node responds again", { network: name }),
  });
  const remote = { request, heads, genesisHash };
  const served = createRemoteNetwork({ network, limits, remote, payments: store, ...found });
  const dispatcher = createDispatcher(served);
  return {
    request,
    heads,
    genesisHash,
    store,
    problems: served.problems,
    dispatcher,
    async close() {
      heads.close();
      // Aborts open requests. Otherwise, a remote node that doesn't respond would keep the process alive.
      closing.abort();
      await store.close();
    },
  };
}

async function readStart(request: Eip1193Request, chainId: number) {
  const answered = await request({ method: "eth_chainId" });
  if (Number(answered) !== chainId) {
    throw new UpstreamError(`the node serves chain ${Number(answered)}, not chain ${chainId}.`);
  }
  const read = (block: string) =>
    request({ method: "eth_getBlockByNumber", params: [block, false] }) as Promise<WireHead | null>;
  const first = await read("latest");
  if (!first) throw new UpstreamError("the node has no blocks.");
  // Some nodes drop old blocks. In that case, only the chain ID identifies the chain.
  const genesis = await read("0x0").catch(() => null);
  return { first, genesisHash: genesis?.hash ?? (`0x${"0".repeat(64)}` as const) };
}
