/**
 * A network backed by a remote node: it offers that node and our payment ledger, and forwards other methods. Lists for
 * pages are built from the node's data, because we don't index its chain.
 */
import type { Limits } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { createRemoteLookups } from "@/server/explorer/remote/blocks";
import type { PaymentStore } from "@/server/ports/store";
import type { RemoteNode } from "@/server/remote/remoteNode";
import { toMethodNotFound, toNoEvents, toServerError } from "@/server/rpc/errors";
import type { ServedNetwork } from "@/server/rpc/ports";
import { createStatistics } from "@/server/rpc/statistics";

export function createRemoteNetwork(options: {
  network: NetworkConfig;
  limits: Limits;
  remote: RemoteNode;
  payments: PaymentStore;
}): ServedNetwork {
  const { network, limits, remote, payments } = options;
  const { heads, genesisHash } = remote;
  const head = () => {
    const { number, hash, timestamp } = heads.head();
    return { number: Number(number), hash, timestamp: Number(timestamp) };
  };
  return {
    network,
    limits,
    statistics: createStatistics(),
    ports: { head: { genesisHash, head }, lookups: createRemoteLookups(remote), payments, remote },
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
