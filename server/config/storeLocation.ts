/**
 * Where a store of this configuration is: a file of the data folder, or a schema of the one database that several
 * instances share. Each network has its own.
 */
import { join } from "node:path";
import type { Config } from "@/server/config/config";
import type { StoreLocation } from "@/server/ports/store";

/** What schemas of ours begin with. */
export const schemaPrefix = "tollscan_";

/** name: the network's, or what a network without a chain calls its ledger. */
export function toStoreLocation(
  { dataDir, databaseUrl, limits }: Pick<Config, "dataDir" | "databaseUrl" | "limits">,
  name: string,
): StoreLocation {
  if (databaseUrl === undefined) return { kind: "sqlite", file: join(dataDir, `${name}.sqlite`) };
  return {
    kind: "postgres",
    url: databaseUrl,
    schema: `${schemaPrefix}${name}`,
    connections: limits.databaseConnections,
  };
}

/** The same store for a worker thread, which reads one value after the other. */
export function toReaderLocation(location: StoreLocation): StoreLocation {
  return location.kind === "postgres" ? { ...location, connections: 2 } : location;
}
