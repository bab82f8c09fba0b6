/**
 * `tollscan`: starts a node with its payment API for a test suite, in memory and on a free port. It always ends with
 * the process, and never keeps the process alive.
 */
import { mkdirSync } from "node:fs";
import { ConfigError } from "@/server/config/environment.mjs";
import { openInChild } from "@/server/library/childServer";
import { connectTollscan } from "@/server/library/connect";
import { openInThread } from "@/server/library/hostThread";
import { nameOptions, toSettings } from "@/server/library/settings";
import type { TestAccount, Tollscan, TollscanOptions } from "@/server/library/types";
import { createTemporaryFolder } from "@/server/node/temporaryFolder";

export { connectTollscan } from "@/server/library/connect";
export type {
  ChainOptions,
  FundOptions,
  NetworkOptions,
  TestAccount,
  Tollscan,
  TollscanClient,
  TollscanConnection,
  TollscanOptions,
  TollscanSnapshot,
} from "@/server/library/types";

/**
 * Starts a Tollscan, and resolves when it is ready. Doesn't read the environment. Rejects with an error whose code is
 * CONFIG if an option is wrong.
 */
export async function createTollscan(options: TollscanOptions = {}): Promise<Tollscan> {
  const folder = createTemporaryFolder();
  try {
    mkdirSync(folder.path);
    const settings = { ...toSettings(options, folder.path), TOLLSCAN_DATA: folder.path };
    const { start, stop } = await (options.pages ? openInChild(settings) : openInThread(settings));
    let stopping: Promise<void> | undefined;
    const stopOnce = () => {
      stopping ??= stop().finally(() => folder.remove());
      return stopping;
    };
    const accounts = start.accounts.filter((account): account is TestAccount => account.privateKey !== undefined);
    return { ...connectTollscan({ ...start, accounts }), stop: stopOnce, [Symbol.asyncDispose]: stopOnce };
  } catch (error) {
    folder.remove();
    throw error instanceof ConfigError ? new ConfigError(nameOptions(error.message, folder.path)) : error;
  }
}
