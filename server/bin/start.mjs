/**
 * `npm start` and `npm run dev` on a clean clone: installs, builds and runs, doing only the steps that are needed. Uses
 * plain JavaScript and Node builtins only, because nothing else is installed yet. Configuration errors are reported
 * before anything is installed, built or written.
 */

import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isQuiet, listFlags, nameOptions, quietConsole, readCommandLine, toStartHelp } from "../config/commandLine.mjs";
import { ConfigError, readEnvironment } from "../config/environment.mjs";
import { runInstead } from "./node.mjs";
import {
  builtServer,
  checkConfig,
  ensureBuild,
  ensurePackages,
  root,
  StepError,
  toChildEnv,
  typescript,
} from "./prepare.mjs";

const dev = process.argv.includes("--dev");
/** @type {import("../config/commandLine.mjs").CommandLine} */
let line = { flags: new Set(), settings: {} };
const say = (/** @type {string} */ text) => (isQuiet(line) ? console.error(text) : console.log(text));

/** @param {number} port @param {string} host @returns {Promise<void>} */
function assertAddressFree(port, host) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      // If the address is invalid, the server itself reports it.
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return resolve();
      const why = error.code === "EADDRINUSE" ? "is in use" : `cannot be opened (${error.code})`;
      reject(new ConfigError(`PORT ${port} ${why}; choose another one.`));
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/**
 * Checks that the port is free on the address that the server will listen on: HOST, or loopback if it is not set.
 * @param {number} port @param {string | undefined} host
 */
async function assertPortFree(port, host) {
  if (port === 0) return;
  for (const address of host === undefined ? ["127.0.0.1", "::1"] : [host]) await assertAddressFree(port, address);
}

/** Reads the options after `npm start --`. Answers --help and --version itself. */
function readOptions() {
  const line = readCommandLine(process.argv.slice(2).filter((argument) => argument !== "--dev"));
  if (line.flags.has("help")) process.stdout.write(toStartHelp());
  else if (line.flags.has("version")) say(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
  else return line;
  process.exit(0);
}

try {
  line = readOptions();
  Object.assign(process.env, line.settings);
  const { port, host } = readEnvironment(process.env, root);
  await assertPortFree(port, host);
  await ensurePackages({ withDev: dev, say });
  if (!dev) await ensureBuild({ check: checkConfig, say });
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StepError)) throw error;
  console.error(nameOptions(error.message, line));
  process.exit(1);
}
const flags = listFlags(line);
process.chdir(root);
if (dev) {
  runInstead(process.execPath, [...typescript, "server/node/main.ts", "--dev", ...flags], {
    env: { ...toChildEnv(), NODE_ENV: "development" },
    isTied: true,
  });
} else {
  // Runs the server in this process, so that no second process uses memory.
  quietConsole(line);
  process.argv.splice(2, Infinity, ...flags);
  Object.assign(process.env, toChildEnv(), { NODE_ENV: "production" });
  // Without Node's compile cache, a start takes a third longer.
  enableCompileCache(join(root, ".next", "cache", "compiled"));
  await import(pathToFileURL(builtServer).href);
}
