/**
 * A network backed by a remote node. Methods that have no handler here are forwarded to that node. The lists on pages
 * are built from the node's data, because Tollscan doesn't index remote chains.
 */
import type { Limits } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { createRemoteLookups } from "@/server/explorer/remote/blocks";
import type { Store } from "@/server/ports/store";
import { ask, type RemoteNode } from "@/server/remote/remoteNode";
import { toMethodNotFound, toNoEvents, toServerError } from "@/server/rpc/errors";
import type { Ports, ServedNetwork } from "@/server/rpc/ports";
import {
  checkDisk,
  checkRemoteNode,
  checkStore,
  createProblems,
  type GasSource,
  type Problems,
} from "@/server/rpc/problems";
import { createStatistics } from "@/server/rpc/statistics";

export function createRemoteNetwork(options: {
  network: NetworkConfig;
  limits: Limits;
  remote: RemoteNode;
  payments: Store;
  names: Ports["names"];
  resources: Ports["resources"];
}): ServedNetwork & { problems: Problems } {
  const { network, limits, remote, payments, names, resources } = options;
  const { heads, genesisHash } = remote;
  const head = () => {
    const { number, hash, timestamp } = heads.head();
    return { number: Number(number), hash, timestamp: Number(timestamp) };
  };
  const problems = createProblems(
    [checkStore(payments), checkDisk(payments), checkRemoteNode(heads.findSilence)],
    toGasSource(network, remote),
  );
  return {
    network,
    limits,
    statistics: createStatistics(),
    problems,
    ports: {
      head: { genesisHash, head },
      lookups: createRemoteLookups(remote, payments),
      names,
      resources,
      payments,
      problems,
      remote,
    },
    forward: remote.request,
    refuse({ name }, missing) {
      if (missing === "events") return toNoEvents(name);
      if (missing === "faucet") return toServerError(`network ${network.name} has no faucet`);
      if (!name.startsWith("explorer_")) return toMethodNotFound(name);
      if (missing === "load") {
        return toServerError(
          `network ${network.name} runs on a remote node, whose status and load history are unavailable here`,
        );
      }
      const why = `${name} needs an index, which the remote network ${network.name} doesn't have`;
      return toServerError(`${why}; use the eth_ methods to read its blocks, transactions and balances`);
    },
    close: () => undefined,
  };
}

/** Health checks are frequent, so balances are read from the node at most once in this time. */
const gasReadMs = 15_000;

function toGasSource(network: NetworkConfig, remote: RemoteNode): GasSource {
  const kept = new Map<string, { atMs: number; value: Promise<bigint> }>();
  const read = (method: string, ...params: string[]) => {
    const key = params.join();
    const known = kept.get(key);
    if (known && Date.now() - known.atMs < gasReadMs) return known.value;
    const value = ask<string>(remote, method, ...params).then(BigInt);
    kept.set(key, { atMs: Date.now(), value });
    value.catch(() => kept.delete(key));
    return value;
  };
  return {
    network,
    findBalance: (account) => read("eth_getBalance", account, "latest"),
    findGasPrice: () => read("eth_gasPrice"),
  };
}
