/**
 * Uses the configuration to determine each network's store: a file in the data folder, or a schema in a database that
 * several instances share.
 */
import { join } from "node:path";
import type { Config } from "@/server/config/config";
import type { StoreLocation } from "@/server/ports/store";

/** The prefix of the names of our schemas. */
export const schemaPrefix = "tollscan_";

/** `name` is the network's name or, if this node doesn't run the network's chain, the name of the network's ledger. */
export function toStoreLocation(
  { dataDir, databaseUrl, isKept, limits }: Pick<Config, "dataDir" | "databaseUrl" | "isKept" | "limits">,
  name: string,
): StoreLocation {
  if (databaseUrl === undefined) return { kind: "sqlite", file: join(dataDir, `${name}.sqlite`), isKept };
  return {
    kind: "postgres",
    url: databaseUrl,
    schema: `${schemaPrefix}${name}`,
    connections: limits.databaseConnections,
  };
}

/** The same store with fewer connections. A worker thread reads one value at a time, so it needs only a few. */
export function toReaderLocation(location: StoreLocation): StoreLocation {
  return location.kind === "postgres" ? { ...location, connections: 2 } : location;
}
