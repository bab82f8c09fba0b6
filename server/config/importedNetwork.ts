/**
 * A chain that was imported into a data folder, as a network: the folder then holds the geth genesis it started from
 * beside its database. It has no token of ours and nobody is funded, so it can be explored and called, not paid on.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalContracts } from "@/lib/contracts";
import { ConfigError } from "@/server/config/environment.mjs";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { readGethGenesis } from "@/server/ethereum/gethGenesis";

const name = "imported";

/** Where the genesis of a folder's imported chain stands. */
export function toGenesisFile(dataDir: string): string {
  return join(dataDir, `${name}.genesis.json`);
}

/** undefined where nothing was imported into the folder. Throws ConfigError where the genesis in it is damaged. */
export function findImportedNetwork(dataDir: string): NetworkConfig | undefined {
  const file = toGenesisFile(dataDir);
  return existsSync(file) ? toImportedNetwork(file) : undefined;
}

/** Throws ConfigError where the file is no geth genesis. */
export function toImportedNetwork(genesisFile: string): NetworkConfig {
  return {
    name,
    label: "Imported",
    chainId: readChainId(genesisFile),
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    tokens: [],
    contracts: canonicalContracts,
    embedded: false,
    funded: [],
    genesisFile,
  };
}

function readChainId(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new ConfigError(`The genesis ${file} cannot be read.`);
  }
  try {
    return readGethGenesis(JSON.parse(text)).spec.chainId;
  } catch (error) {
    const issue = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues?.[0];
    const why = issue ? ` at ${issue.path.map(String).join(".")}: ${issue.message}` : "";
    throw new ConfigError(`The genesis ${file} is not a geth genesis${why}.`);
  }
}
