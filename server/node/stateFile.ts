/**
 * The file with the default network's state, in anvil's format. It is read at startup and written when the node closes.
 * A node that failed to start never writes it.
 */
import { constants, statSync } from "node:fs";
import { access, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LoadedState } from "@/server/chain/loadState";
import type { Config } from "@/server/config/config";
import { ConfigError } from "@/server/config/environment.mjs";
import { findErrorCode, NotPossibleError } from "@/server/ethereum/errors";
import type { NetworkOnDemand } from "@/server/node/networkOnDemand";
import { readStateDump, toStateDump } from "@/server/rpc/stateDump";

/** If the path is a folder, the file is state.json in that folder. anvil does the same. */
const toFile = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, "state.json") : path;

/**
 * Reads the state to load, if any. Throws ConfigError if it can't be loaded, or if the file to write isn't writable.
 */
export async function readStateFile({ stateFiles }: Config): Promise<LoadedState | undefined> {
  if (stateFiles?.dump !== undefined) await assertWritable(toFile(stateFiles.dump));
  if (stateFiles?.load === undefined) return undefined;
  const file = toFile(stateFiles.load);
  try {
    return await readStateDump(await readFile(file));
  } catch (error) {
    const code = findErrorCode(error);
    if (code === "ENOENT" && stateFiles.isLoadOptional) return undefined;
    if (error instanceof NotPossibleError) throw new ConfigError(`${file}: ${error.message}`);
    const reason = code === "ENOENT" ? "it does not exist" : (error as Error).message;
    throw new ConfigError(`The state file ${file} cannot be read: ${reason}.`);
  }
}

async function assertWritable(file: string): Promise<void> {
  await access(dirname(file), constants.W_OK).catch(({ code, message }) => {
    const reason = code === "ENOENT" ? "its folder does not exist" : message;
    throw new ConfigError(`The state file ${file} cannot be written: ${reason}.`);
  });
}

/** If the network was never used, this opens it first. */
export async function writeStateFile({ stateFiles }: Config, network: NetworkOnDemand): Promise<void> {
  if (stateFiles?.dump === undefined) return;
  const file = toFile(stateFiles.dump);
  const partial = `${file}.${process.pid}.tmp`;
  const { payments: store } = await network.open();
  try {
    await writeFile(partial, await toStateDump(store));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
