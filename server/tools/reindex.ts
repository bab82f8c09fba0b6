/**
 * Rebuilds the explorer's read model for every chain in the data folder. The node must not be running, because a
 * database can have only one writer. If the rebuild is interrupted, the node finishes it on its next start.
 */

import { type Config, loadConfig } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { toStoreLocation } from "@/server/config/storeLocation";
import { openChain } from "@/server/node/openChain";
import { reindexCommand } from "@/server/node/subcommands";
import { hasData } from "@/server/storage/open";
import { createProgress, readOptions, refuse, runProgram } from "@/server/tools/program";

async function reindex(config: Config, network: NetworkConfig): Promise<void> {
  const before = await openChain(config, network);
  try {
    await before.chain.store.deleteReadModel();
  } finally {
    await before.close();
  }
  const startedAt = performance.now();
  const progress = createProgress();
  // Opening a chain completes its read model.
  const { chain, close } = await openChain(config, network, (block) =>
    progress(`${network.label}: indexed block ${block}`),
  );
  try {
    const blocks = await chain.store.findReadModelEnd();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${network.label}: rebuilt the index of ${blocks} blocks in ${seconds} s.\n`);
  } finally {
    await close();
  }
}

async function main(): Promise<void> {
  const { data, networks } = readOptions(reindexCommand);
  const given = { ...(data && { TOLLSCAN_DATA: data }), ...(networks && { TOLLSCAN_NETWORKS: networks }) };
  const config = loadConfig({ ...process.env, ...given }, process.cwd());
  let isEmpty = true;
  for (const network of config.networks) {
    if (config.publicNodes.has(network.name)) continue;
    const location = toStoreLocation(config, network.name);
    // A network that was never used has nothing to rebuild.
    if (location.kind === "sqlite" && !hasData(location.file)) continue;
    isEmpty = false;
    await reindex(config, network);
  }
  if (isEmpty) refuse(`${config.dataDir} has no chain of these networks; set --data or --networks.`);
}

await runProgram(main);
