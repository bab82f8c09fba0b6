/** A network whose chain runs in this node. Has every method, except dev controls and the faucet if they are disabled. */
import type { Chain } from "@/server/chain/chain";
import { createFilters } from "@/server/chain/filters";
import type { Limits } from "@/server/config/config";
import { faucetIndex, getDevAccount } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Address } from "@/server/ethereum/types";
import { createLookups } from "@/server/explorer/search";
import { createTokenNames } from "@/server/explorer/tokenNames";
import { toMethodNotFound, toNotDeveloped, toServerError } from "@/server/rpc/errors";
import { createFinalAnswers } from "@/server/rpc/finalAnswers";
import { createNodeHistory, type NodeReading } from "@/server/rpc/nodeHistory";
import type { Fund, NodeLoad, PortName, Ports, ServedNetwork } from "@/server/rpc/ports";
import {
  checkBlocks,
  checkDisk,
  checkIndex,
  checkStore,
  createProblems,
  type GasSource,
  type Problems,
} from "@/server/rpc/problems";
import { createRecentBlocks } from "@/server/rpc/recentBlocks";
import { createStatistics, type Statistics } from "@/server/rpc/statistics";

/** A filter that is not polled for five minutes is removed, as in geth. */
const filterExpiryMs = 300_000;

export function createEmbeddedNetwork(options: {
  network: NetworkConfig;
  chain: Chain;
  limits: Limits;
  /** Undefined if the network has no faucet. */
  faucet: Fund | undefined;
  /** Whether callers may send tracers written in JavaScript. */
  areScriptsAllowed: boolean;
  names: Ports["names"];
  resources: Ports["resources"];
  refund?: Ports["refund"] | undefined;
}): ServedNetwork & { problems: Problems } {
  const { network, chain, limits, faucet, areScriptsAllowed, names, resources, refund } = options;
  const { store, pool, devControls } = chain;
  const filters = createFilters(chain, {
    total: limits.filters,
    perClient: limits.clientFilters,
    results: limits.logResults,
    expiryMs: filterExpiryMs,
  });
  const statistics = createStatistics();
  const load = createLoad(chain, statistics);
  const problems = createProblems(
    [checkStore(store), checkDisk(store), checkBlocks(chain.findFailure), checkIndex(chain.head, store)],
    toGasSource(chain, network),
  );
  const finalAnswers = createFinalAnswers(chain, { areValuesCached: store.stateReader?.isCached ?? false });
  const recentBlocks = createRecentBlocks(chain);
  const tokenNames = createTokenNames(chain);
  return {
    network,
    limits,
    statistics,
    finalAnswers,
    problems,
    ports: {
      chain,
      head: chain,
      blocks: store,
      recentBlocks,
      state: store,
      index: store,
      lookups: createLookups({ chain, store, pool, tokenNames }),
      names,
      resources,
      pool,
      submission: chain,
      calls: chain,
      scripts: { areAllowed: areScriptsAllowed },
      fees: chain.fees,
      filters,
      events: chain,
      payments: store,
      load,
      problems,
      ...(devControls && { devControls }),
      ...(faucet && { faucet }),
      ...(refund && { refund }),
    },
    refuse({ name }, missing: PortName) {
      if (missing === "devControls") return toNotDeveloped(network.name);
      if (missing === "faucet") return toServerError(`network ${network.name} has no faucet`);
      return toMethodNotFound(name);
    },
    close() {
      load.history.close();
      filters.close();
      finalAnswers.close();
      recentBlocks.close();
      tokenNames.close();
    },
  };
}

function toGasSource({ store, head, fees }: Chain, network: NetworkConfig): GasSource {
  const findBalance = async (account: Address) => (await store.findAccount(account, head().number))?.balance ?? 0n;
  // A top-up takes at most half of the faucet's balance.
  const findReserve = async () => (await findBalance(getDevAccount(faucetIndex).address)) / 2n;
  return {
    network,
    findBalance,
    findGasPrice: () => fees.suggestGasPrice(),
    ...(network.embedded && { findReserve }),
  };
}

function createLoad(chain: Chain, statistics: Statistics): NodeLoad {
  const calls = () => chain.executor.statistics();
  const storeBytes = () => chain.store.findSize();
  const read = async (): Promise<NodeReading> => {
    const { activeRequests, queuedRequests, totalRequests } = calls();
    const { number, timestamp } = chain.head();
    return {
      ...chain.pool.counts(),
      // The genesis timestamp is a constant, so the head's age is reported as zero until the first block is mined.
      headTimestamp: number === 0 ? Date.now() / 1000 : timestamp,
      storeBytes: await storeBytes(),
      activeCalls: activeRequests,
      waitingCalls: queuedRequests,
      totalCalls: totalRequests,
      methods: statistics.list(),
    };
  };
  return { statistics, history: createNodeHistory(read), calls, storeBytes };
}
