/**
 * Defines a network for a chain that was imported into a data folder. The folder also contains the chain's geth
 * genesis. Such a chain has no Tollscan tokens and no funded accounts, so payments are off.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalContracts } from "@/lib/contracts";
import { ConfigError } from "@/server/config/environment.mjs";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { readGethGenesis } from "@/server/ethereum/gethGenesis";

const name = "imported";

/** The path of the genesis file for the chain that was imported into this folder. */
export function toGenesisFile(dataDir: string): string {
  return join(dataDir, `${name}.genesis.json`);
}

/** Returns undefined if nothing was imported into the folder. Throws ConfigError if the imported genesis is damaged. */
export function findImportedNetwork(dataDir: string): NetworkConfig | undefined {
  const file = toGenesisFile(dataDir);
  return existsSync(file) ? toImportedNetwork(file) : undefined;
}

/** Throws ConfigError if the file is not a geth genesis. */
export function toImportedNetwork(genesisFile: string): NetworkConfig {
  return {
    name,
    label: "Imported",
    profile: "ethereum",
    chainId: readChainId(genesisFile),
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    tokens: [],
    contracts: canonicalContracts,
    embedded: false,
    funded: [],
    accounts: [],
    settings: {},
    genesisFile,
  };
}

function readChainId(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new ConfigError(`The genesis file ${file} cannot be read.`);
  }
  try {
    return readGethGenesis(JSON.parse(text)).spec.chainId;
  } catch (error) {
    const issue = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues?.[0];
    const why = issue ? ` (${issue.path.map(String).join(".")}: ${issue.message})` : "";
    throw new ConfigError(`The file ${file} is not a valid geth genesis${why}.`);
  }
}
