/**
 * The location of a store in this configuration: a file in the data folder, or a schema of the database that several
 * instances share. Each network has its own.
 */
import { join } from "node:path";
import type { Config } from "@/server/config/config";
import type { StoreLocation } from "@/server/ports/store";

/** Prefix of our schemas. */
export const schemaPrefix = "tollscan_";

/** `name` is the network's name, or the name of the ledger of a network whose chain this node does not run. */
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

/** The same store for a worker thread, which reads one value at a time. */
export function toReaderLocation(location: StoreLocation): StoreLocation {
  return location.kind === "postgres" ? { ...location, connections: 2 } : location;
}
