/**
 * A chain that another process builds, read from the same file. Invariant: after follow() the head and every kept answer
 * are at least as new as the last commit before the call; what is not committed is ElsewhereError.
 */
import { toNextEnv } from "@/server/chain/blockEnv";
import { createBlockRefs } from "@/server/chain/blockRefs";
import type { Alteration, Chain } from "@/server/chain/chain";
import type { ExecutorStatistics } from "@/server/chain/evm/executor";
import { createExecutor } from "@/server/chain/evm/pool";
import { createFeeReader } from "@/server/chain/feeReader";
import type { ChainSpec } from "@/server/chain/spec";
import type { Header } from "@/server/chain/types";
import type { Config } from "@/server/config";
import type { NetworkConfig } from "@/server/networkConfig";
import { readSpec } from "@/server/openChain";
import { askElsewhere, createElsewhere } from "@/server/readers/elsewhere";
import { flow, type Steps, step } from "@/server/storage/awaitable";
import { openStore } from "@/server/storage/open";
import type { Awaitable, Store } from "@/server/storage/port";
import { toStoreLocation } from "@/server/storeLocation";

export type ReadingChain = {
  chain: Chain;
  /** Sees what was committed before the call. Takes microseconds where nothing was; SQLite answers without a promise. */
  follow(): Awaitable<void>;
  /** What the workers of this process do and did. */
  load(): ExecutorStatistics;
  close(): Promise<void>;
};

/** Rejects with the reason for which the file cannot be read. */
export async function openReadingChain(config: Config, network: NetworkConfig): Promise<ReadingChain> {
  const location = toStoreLocation(config, network.name);
  const store = await openStore(location, { readonly: true });
  const { callWorkers, callQueue, callTimeMs, callGas, responseBytes } = config.limits;
  const executor = createExecutor({ location, callWorkers, callQueue, callTimeMs });
  const close = async () => {
    await executor.close();
    await store.close();
  };
  try {
    const spec = readSpec(network);
    const genesis = await store.findHeader(0);
    const first = await flow(() => findPlace(store));
    if (!genesis || !first) throw new Error(`The store of ${network.name} has no genesis block.`);
    let { header, era } = first;
    let dataVersion: number | undefined;
    const head = () => header;
    const fees = createFeeReader({ spec, store, head, nextEnv: () => toNextRules(spec, header) });
    const listeners = new Set<(event: Alteration) => void>();

    /** Takes over where the chain is now; of a change by hand all who keep something are told. */
    function* look(version: number | undefined): Steps<void> {
      const place = yield* findPlace(store);
      if (!place) throw new Error(`The store of ${network.name} has lost its head.`);
      const isAltered = place.era !== era;
      ({ header, era } = place);
      dataVersion = version;
      if (!isAltered) return;
      fees.forget();
      for (const listener of [...listeners]) listener({ header, accounts: [] });
    }

    const chain: Chain = {
      name: network.name,
      spec,
      store,
      executor: { ...executor, statistics: askElsewhere },
      pool: createElsewhere(),
      genesisHash: genesis.hash,
      fees: { ...fees, suggestGasPrice: askElsewhere, blobBaseFee: askElsewhere },
      callGas,
      traceBytes: responseBytes,
      head,
      era: () => era,
      refresh: askElsewhere,
      builds: () => false,
      nextEnv: askElsewhere,
      ...createBlockRefs({ spec, store, head }),
      submit: askElsewhere,
      submitImpersonated: askElsewhere,
      waitForTransaction: askElsewhere,
      onHead: askElsewhere,
      onAlter(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      get developer() {
        return askElsewhere();
      },
      append: askElsewhere,
      close,
    };
    return {
      chain,
      load: executor.statistics,
      follow() {
        // Read first: what is written while we look moves it again.
        const version = store.findDataVersion();
        if (version !== undefined && version === dataVersion) return undefined;
        return flow(() => look(version));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The head with its header; undefined where there is none yet. */
function* findPlace(store: Store): Steps<{ header: Header; era: string } | undefined> {
  for (;;) {
    const mark = yield* step(store.findChainMark());
    if (!mark) return undefined;
    const header = yield* step(store.findHeader(mark.number));
    // Taken back between the two reads, the chain is looked at again.
    if (header?.hash === mark.hash) return { header, era: mark.era };
  }
}

/**
 * The rules of the next block, which fees of past blocks follow into. When it will be is the main process's to say, by
 * the clock or by hand, so where another fork may have begun by then the answer is its own too.
 */
function toNextRules(spec: ChainSpec, head: Header) {
  const mayChange = spec.forks.some((fork) => "timestamp" in fork && fork.timestamp > head.timestamp);
  return mayChange ? askElsewhere() : toNextEnv(spec, head, head.coinbase, head.timestamp);
}
