/**
 * The server process: one node, one listener, and the pages. `--dev` serves the pages with hot reload, `--no-pages`
 * serves only the node, and `--check` only checks the configuration. It shuts down on SIGINT, SIGTERM or SIGHUP, or if
 * its parent process exits.
 */

import { toHomePath } from "@/lib/links";
import { createWebSockets } from "@/server/api/websocket";
import { type Config, loadConfig } from "@/server/config/config";
import { findErrorCode } from "@/server/ethereum/errors";
import { createAccess } from "@/server/http/access";
import { createBodyMemory } from "@/server/http/bodyMemory";
import { createListener, type Site } from "@/server/http/listener";
import { createPages } from "@/server/http/pages";
import { log } from "@/server/log/log";
import { closeNode, getNode } from "@/server/node/instance";
import { limitHeap } from "@/server/node/limitHeap";
import { openBrowser } from "@/server/node/openBrowser";
import { releaseMemoryWhenIdle } from "@/server/node/releaseMemory";
import { toBanner, toOrigin, toStartLine } from "@/server/node/startBanner";

const options = new Set(process.argv.slice(2));
/**
 * Errors that don't come from bugs in this program. Only their message is shown; all other errors are shown with their
 * stack.
 */
const refusalCodes: unknown[] = ["CONFIG", "STORE_FORMAT", "STORE_IDENTITY", "STORE_LOCKED", "STORE_UNAVAILABLE"];
/** Time limit for a shutdown. If the shutdown hangs, the process ends anyway after this time. */
const shutdownMs = 10_000;
/** The shutdown limit if a state file is written, because the file may be large. */
const dumpMs = 120_000;

function loadConfigOrExit(): Config {
  try {
    return loadConfig(process.env, process.cwd());
  } catch (error) {
    failIfRefused(error);
    throw error;
  }
}

function fail(sentence: string, exitCode = 1): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(exitCode);
}

function failIfRefused(error: unknown): void {
  const code = findErrorCode(error);
  if (!(error instanceof Error) || !refusalCodes.includes(code)) return;
  fail(error.message, code === "CONFIG" && options.has("--command") ? 2 : 1);
}

function toListenSentence({ port, host }: Config, error: NodeJS.ErrnoException): string {
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return `HOST ${host} is not an address of this machine.`;
  if (error.code === "EADDRINUSE") {
    return options.has("--command")
      ? `Port ${port} is in use; choose another one with --port.`
      : `PORT ${port} is in use; choose another one.`;
  }
  return `PORT ${port} cannot be opened: ${error.message}.`;
}

async function main(): Promise<void> {
  limitHeap();
  const isTemporary = options.has("--temporary");
  const loaded = loadConfigOrExit();
  const config = { ...loaded, isKept: loaded.isKept && !isTemporary, isSilent: options.has("--silent") };
  if (options.has("--check")) return;

  let setSite: (site: Site) => void = () => undefined;
  const site = new Promise<Site>((resolve) => {
    setSite = resolve;
  });
  const access = createAccess(config.access);
  const { port, host, limits } = config;
  const { bodyBytes, openBodyBytes } = limits;
  const memory = createBodyMemory(openBodyBytes);
  const listener = await createListener({ port, host, bodyBytes, memory, access, site }).catch((error) =>
    fail(toListenSentence(config, error)),
  );

  let closing = false;
  const shutDown = async () => {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(1), config.stateFiles?.dump === undefined ? shutdownMs : dumpMs).unref();
    try {
      // `closeNode()` ends the streams that `listener.close()` waits for.
      await Promise.all([closeNode(), listener.close()]);
      process.exit(0);
    } catch (error) {
      log.error("the shutdown failed", error);
      process.exit(1);
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void shutDown());
  if (process.send) process.on("disconnect", () => void shutDown());

  try {
    const node = await getNode(config);
    const homePath = toHomePath(node.config.networks[0].name);
    const pages = options.has("--no-pages") ? undefined : createPages(listener.port, options.has("--dev"), homePath);
    setSite({
      findHandler: node.findHandler,
      toRefusal: node.toRefusal,
      sockets: createWebSockets({ find: node.findSubscriptions, limits, memory }),
      ...(pages && { pages: pages.answer, upgradePages: pages.upgrade }),
    });
    await pages?.ready;
    if (options.has("--json")) process.stdout.write(toStartLine(node, listener.port, isTemporary));
    else if (!options.has("--silent")) process.stdout.write(toBanner(node, listener.port, isTemporary));
    if (options.has("--open")) openBrowser(toOrigin(config, listener.port));
    releaseMemoryWhenIdle();
  } catch (error) {
    if (closing) return;
    failIfRefused(error);
    log.error("the node could not start", error);
    process.exit(1);
  }
}

await main();
