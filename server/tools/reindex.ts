/**
 * Rebuilds the explorer's read model of every chain in the data folder from its blocks. The node must not be running,
 * because it is the only writer of its database. If interrupted, the node's next start continues the work.
 */

import { type Config, loadConfig } from "@/server/config/config";
import { ConfigError } from "@/server/config/environment.mjs";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { openChain } from "@/server/node/openChain";
import { StoreFormatError, StoreIdentityError, StoreLockedError, StoreUnavailableError } from "@/server/storage/errors";

const refusals = [ConfigError, StoreFormatError, StoreIdentityError, StoreLockedError, StoreUnavailableError];

async function reindex(config: Config, network: NetworkConfig): Promise<void> {
  const before = await openChain(config, network);
  try {
    await before.chain.store.deleteReadModel();
  } finally {
    await before.close();
  }
  const startedAt = performance.now();
  // Opening a chain completes its read model.
  const { chain, close } = await openChain(config, network);
  try {
    const blocks = await chain.store.findReadModelEnd();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${network.label}: the rows of ${blocks} blocks were built in ${seconds} s.\n`);
  } finally {
    await close();
  }
}

async function main(): Promise<void> {
  const config = loadConfig(process.env, process.cwd());
  for (const network of config.networks) {
    if (!config.publicNodes.has(network.name)) await reindex(config, network);
  }
}

await main().catch((error) => {
  if (!refusals.some((refusal) => error instanceof refusal)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
