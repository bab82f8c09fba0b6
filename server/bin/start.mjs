/**
 * `npm start` and `npm run dev` on a clean clone: installs, builds and runs, each only when needed. Plain JavaScript
 * on node builtins, because nothing else is there yet. What is wrong with the configuration is said first, in one
 * sentence, with nothing installed, built or written.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { ConfigError, readEnvironment } from "./environment.mjs";
import {
  assertNode,
  builtServer,
  checkConfig,
  childEnv,
  ensureBuild,
  ensurePackages,
  root,
  StepError,
  typescript,
} from "./prepare.mjs";

const dev = process.argv.includes("--dev");
const say = (/** @type {string} */ line) => console.log(line);

/** @param {number} port @returns {Promise<void>} */
function assertPortFree(port) {
  if (port === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      const why = error.code === "EADDRINUSE" ? "is in use" : `cannot be opened (${error.code})`;
      reject(new ConfigError(`PORT ${port} ${why}; choose another one.`));
    });
    probe.listen(port, () => probe.close(() => resolve()));
  });
}

/** Runs the server until it ends; answers its exit code. @returns {Promise<number>} */
function run() {
  const args = dev ? [...typescript, "server/main.ts", "--dev"] : [builtServer];
  // The IPC channel tells the server when we are gone, however we went.
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...childEnv, NODE_ENV: dev ? "development" : "production" },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`The server could not be started: ${error.message}.`);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

try {
  assertNode();
  const { port } = readEnvironment(process.env, root);
  await assertPortFree(port);
  await ensurePackages({ withDev: dev, say });
  if (!dev) await ensureBuild({ check: checkConfig, say });
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}
process.exit(await run());
