/**
 * A network whose chain another node holds: it offers that node, our own ledger of payments, and forwards the rest.
 * Lists for pages are built from the node's data; nothing here has an index of the chain.
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
      if (missing === "faucet") return toServerError(`the network ${network.name} has no faucet`);
      if (!name.startsWith("explorer_")) return toMethodNotFound(name);
      if (missing === "load") {
        return toServerError(`${network.name} is on a remote node, whose status and history are not ours to tell`);
      }
      const why = `${network.name} is a remote network without an index here, so ${name} cannot be answered`;
      return toServerError(`${why}; its blocks, transactions and balances can be read`);
    },
    close: () => undefined,
  };
}
