/**
 * npm run store:copy -- --from PLACE --to PLACE: copies every network's chain, pool and ledger, plus the node's keys,
 * between a data folder and Postgres. PLACE is a folder or a postgres:// URL. First stop all nodes that use either
 * place.
 */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { schemaPrefix } from "@/server/config/storeLocation";
import { toHex } from "@/server/ethereum/codec/bytes";
import { copyCommand } from "@/server/node/subcommands";
import type { StoreLocation } from "@/server/ports/store";
import { copyStore } from "@/server/storage/copy";
import { makeFolder } from "@/server/storage/makeFolder";
import { listSchemas, openKeyStore, openTables } from "@/server/storage/open";
import { createProgress, readOptions, refuse, runProgram } from "@/server/tools/program";

const connections = 2;
const ending = ".sqlite";

function readPlaces(): { from: string; to: string } {
  const { from = "", to = "" } = readOptions(copyCommand);
  return from === to ? refuse("--from and --to are the same place.") : { from, to };
}

const isDatabase = (place: string) => /^postgres(ql)?:\/\//.test(place);

function toLocation(place: string, name: string): StoreLocation {
  return isDatabase(place)
    ? { kind: "postgres", url: place, schema: `${schemaPrefix}${name}`, connections }
    : { kind: "sqlite", file: join(resolve(place), `${name}${ending}`) };
}

async function listNames(place: string): Promise<string[]> {
  if (isDatabase(place)) {
    return (await listSchemas(place, schemaPrefix)).map((schema) => schema.slice(schemaPrefix.length));
  }
  if (!existsSync(place)) return [];
  return readdirSync(place).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []));
}

/** Copies the node's keys, if it has created any. */
async function copyKeys(from: string, to: string): Promise<void> {
  const [source, target] = [from, to].map((place) =>
    openKeyStore(isDatabase(place) ? { dataDir: "", databaseUrl: place } : { dataDir: resolve(place) }),
  );
  const keys = await source?.find();
  if (keys !== undefined) await target?.insert(keys);
}

async function main(): Promise<void> {
  const { from, to } = readPlaces();
  const names = await listNames(from);
  if (names.length === 0) refuse("There is no data to copy at --from.");
  const progress = createProgress();
  if (!isDatabase(to)) makeFolder(to);
  for (const name of names) {
    // Opens the source for writing. This keeps nodes from starting on the folder, and migrates an older format.
    const source = await openTables(toLocation(from, name));
    const target = await openTables(toLocation(to, name)).catch(async (error) => {
      await source.close();
      throw error;
    });
    try {
      const { rows, head } = await copyStore(source, target, (table, count) =>
        progress(`${name}: ${count} rows of ${table}`),
      );
      const at = head ? `, its head is block ${head.number} (${toHex(head.hash)})` : "";
      process.stdout.write(`${name}: copied and compared ${rows} rows${at}.\n`);
    } finally {
      await target.close();
      await source.close();
    }
  }
  await copyKeys(from, to);
}

await runProgram(main);
