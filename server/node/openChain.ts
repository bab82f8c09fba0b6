/**
 * Opens one chain on its database: rules, first block, executor, store and chain. If one step fails, everything that
 * was opened is closed again. The genesis is either Tollscan's own or one from a geth genesis.json.
 */
import { readFileSync } from "node:fs";
import { type Chain, createChain } from "@/server/chain/chain";
import { buildGenesis, createGenesis } from "@/server/chain/genesis";
import type { MiningDefaults } from "@/server/chain/producer/settings";
import type { Config } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { toReaderLocation, toStoreLocation } from "@/server/config/storeLocation";
import { readGethGenesis } from "@/server/ethereum/gethGenesis";
import { type ChainSpec, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Genesis, Hash } from "@/server/ethereum/types";
import { createExecutor } from "@/server/execution/pool";
import { project } from "@/server/explorer/project";
import { completeReadModel } from "@/server/explorer/readModel";
import { log } from "@/server/log/log";
import { createConsoleLog } from "@/server/node/consoleLog";
import { createClosers } from "@/server/node/createClosers";
import { openOrCreate } from "@/server/storage/open";
import { forgetSettlements } from "@/server/x402/facilitator/ledgerRewind";

/** The Unix time at which this process started. A network that is closed and opened again keeps its genesis. */
const startedAt = Math.floor(Date.now() / 1000);

export type OpenChain = { chain: Chain; close(): Promise<void> };

/**
 * If the store can't be opened, rejects with the reason. Calls `onIndexed` for each block whose missing explorer rows
 * have been written.
 */
export async function openChain(
  config: Config,
  network: NetworkConfig,
  onIndexed?: (block: number) => void,
): Promise<OpenChain> {
  const { limits, instance, isServerless } = config;
  const { name } = network;
  const location = toStoreLocation(config, name);
  const { spec, genesis: start } = readStart(network, config);
  const { callWorkers, callQueue, callTimeMs } = limits;
  const executor = createExecutor({ location: toReaderLocation(location), callWorkers, callQueue, callTimeMs });
  // The chain must be closed before the executor and the store, because it writes its last block through both.
  const { closers, close } = createClosers(() => executor.close());
  try {
    const genesis = await buildGenesis(executor, spec, start);
    const store = await openOrCreate(location, { chainId: network.chainId, genesisHash: genesis.block.header.hash });
    closers.push(() => store.close());
    const onError = (error: unknown) => log.error("a chain task failed and will be retried", error, { network: name });
    await completeReadModel({ spec, store, executor, genesis }, onIndexed);
    const chain = await createChain({
      name,
      spec,
      store,
      executor,
      genesis,
      limits,
      onError,
      project,
      instance,
      isServerless,
      mining: toMining(network),
      ...(network.settings.order && { order: network.settings.order }),
      ...(network.settings.priorityFee !== undefined && { tipWei: network.settings.priorityFee }),
      ...(config.isDeveloped && network.embedded && !config.isSilent && { onConsole: createConsoleLog(name) }),
      ...(config.isDeveloped &&
        network.embedded && { onRewind: (settlements: Hash[]) => forgetSettlements(store, settlements) }),
    });
    closers.push(() => chain.close());
    return { chain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function toMining({
  settings: { noMining, blockTime, mixedMining, timestamp, hardhat },
}: NetworkConfig): MiningDefaults {
  return {
    isAutomatic: !noMining && (blockTime === undefined || mixedMining === true),
    intervalMs: blockTime ?? 0,
    followsHead: timestamp !== undefined,
    hasDistinctTimestamps: hardhat === true,
    keepsPending: hardhat === true,
  };
}

function readStart(network: NetworkConfig, { isKept, isServerless }: Config): { spec: ChainSpec; genesis: Genesis } {
  if (network.genesisFile !== undefined) return readGethGenesis(JSON.parse(readFileSync(network.genesisFile, "utf8")));
  const spec = toEmbeddedSpec(network.chainId, network.settings);
  const genesis = createGenesis(network, spec);
  // Test suites add durations to the newest block's time, so the genesis gets the system's time, as in anvil. Kept data
  // needs the same genesis after every start, and serverless instances need the same genesis as each other.
  const startsNow = network.settings.timestamp === undefined && !isKept && !isServerless;
  return { spec, genesis: startsNow ? { ...genesis, timestamp: startedAt } : genesis };
}
