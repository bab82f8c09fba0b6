/**
 * Prepares everything that the node and the tests need: the packages in the lock file and a build of the current
 * sources. Each step runs only if its result is missing or stale, and prints one line.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { bundleServer } from "./bundle.mjs";
import { fetchPublicContracts } from "./publicContracts.mjs";

/** The project folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** Flags that let Node run our TypeScript files. */
export const typescript = ["--import", new URL("./typescript.mjs", import.meta.url).href];

/** A step failed. The message is meant for the person at the terminal. */
export class StepError extends Error {
  name = "StepError";
}

/** The environment of the programs that a script starts. */
export const toChildEnv = () => ({ ...process.env, NEXT_TELEMETRY_DISABLED: "1" });

/**
 * Runs a command and hides its output. If it fails, rejects with a StepError that contains the output and says what
 * failed. If `what` is empty, the error contains only the output, because the command reports its own failure.
 * @param {string} command @param {string[]} args @param {string} what
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>}
 */
function runQuietly(command, args, what, { cwd = root, env = toChildEnv() } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("error", (error) => reject(new StepError(`${what} failed: ${error.message}.`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve();
      const shown = Buffer.concat(output).toString().trim();
      reject(new StepError(what ? `${shown}\n${what} failed (${signal ?? `exit ${code}`}).` : shown));
    });
  });
}

/** Prefers the npm that started this process, which a version manager may have chosen, over the one on the PATH. */
export function toNpmCommand() {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.[cm]?js$/.test(script)) return { command: process.execPath, prefix: [script] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", prefix: [] };
}

/** @typedef {{ name: string, version: string, integrity?: string }} Package */

/**
 * Installs exact versions into a folder. A package with a hash must match it and is installed without its dependencies.
 * @param {Package[]} packages @param {string} folder @param {string} what
 */
export async function installExact(packages, folder, what) {
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  const manifest = { private: true, dependencies };
  /** @type {Record<string, object>} */
  const locked = { "": manifest };
  for (const { name, version, integrity } of packages) {
    if (integrity) locked[`node_modules/${name}`] = { version, integrity };
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  // This lock file doesn't list the packages' own dependencies, so npm doesn't install them.
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages: locked }));
  const { command, prefix } = toNpmCommand();
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await runQuietly(command, [...prefix, "install", ...flags], what, { cwd: folder });
}

const installStamp = join(root, "node_modules", ".tollscan-install");
/** Installed packages may contain binaries, which only work on one platform. */
const platform = `${process.platform}-${process.arch}`;

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }>} */
const readLock = (file) => JSON.parse(readFileSync(file, "utf8")).packages ?? {};

/**
 * Whether node_modules matches the lock file. npm writes node_modules/.package-lock.json last, so an interrupted
 * install does not count.
 * @param {boolean} withDev
 */
function isInstalled(withDev) {
  const done = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(done)) return false;
  if (existsSync(installStamp) && readFileSync(installStamp, "utf8") !== platform) return false;
  const installed = readLock(done);
  return Object.entries(readLock(join(root, "package-lock.json"))).every(([path, wanted]) => {
    if (path === "") return true;
    const found = installed[path];
    if (found) return found.version === wanted.version;
    // An optional package may be missing, because npm itself leaves out packages for other platforms.
    return wanted.optional || wanted.devOptional || (wanted.dev && !withDev);
  });
}

/** Fetches the code of the public contracts if it is missing. Our sources can't run without it. */
export const ensurePublicContracts = () => fetchPublicContracts(join(root, ".cache"), installExact);

/**
 * Installs the packages in the lock file if any are missing or the lock file has changed. Also fetches the code of the
 * public contracts if it is missing.
 * @param {{ withDev: boolean, say: (line: string) => void }} options
 */
export async function ensurePackages({ withDev, say }) {
  const contracts = ensurePublicContracts();
  // Prevents an unhandled rejection. The `await` below reports the error after npm ci has ended.
  contracts.catch(() => {});
  if (!isInstalled(withDev)) {
    say("Installing packages …");
    const { command, prefix } = toNpmCommand();
    const flags = ["--no-audit", "--no-fund", "--loglevel=error", withDev ? "--include=dev" : "--omit=dev"];
    await runQuietly(command, [...prefix, "ci", ...flags], "npm ci");
  }
  writeFileSync(installStamp, platform);
  await contracts;
}

const buildStamp = join(root, ".next", "tollscan-sources");
/** The files and folders that a build depends on. Tests and the files in public/ are not among them. */
const sources = ["app", "components", "lib", "server"];
const sourceFiles = ["next.config.ts", "proxy.ts", "postcss.config.mjs", "tsconfig.json", "package-lock.json"];

/**
 * A hash of the content of every source file. Unlike timestamps, it doesn't change if a checkout or `touch` leaves the
 * content the same, so no new build is needed.
 */
function hashSources() {
  const hash = createHash("sha256");
  const files = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1)),
  );
  for (const file of [...files, ...sourceFiles.filter((file) => existsSync(join(root, file)))].sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

const nextCli = join(root, "node_modules", "next", "dist", "bin", "next");

/** Command line that runs the production build, for callers that show the build's output. */
export const buildCommand = [process.execPath, nextCli, "build"];

/**
 * Marks the last build as invalid. Call this before a build, so that a failed build isn't mistaken for a finished one.
 */
export function clearBuildStamp() {
  rmSync(buildStamp, { force: true });
}

const compress = promisify(brotliCompress);
/** The highest compression level. It costs three extra seconds per build, but every visitor loads these files. */
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 },
};

/**
 * Tells V8 to compile all of a script's functions on its download thread. Without it, the main thread compiles them one
 * by one when a page starts. It is only worth its bytes in large scripts.
 */
const compileHint = "//# allFunctionsCalledOnLoad\n";
const hintedBytes = 40_000;

/**
 * Puts a Brotli copy ("x.js.br") beside each script and style of the build, for server/http/staticFiles.ts. Large scripts
 * start with a compile hint.
 */
export async function compressBuild(folder = join(root, ".next", "static")) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(js|css)$/.test(entry.name),
  );
  await Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath ?? entry.path, entry.name);
      const content = readFileSync(file);
      const isHinted = file.endsWith(".js") && content.length >= hintedBytes;
      const served = isHinted ? Buffer.concat([Buffer.from(compileHint), content]) : content;
      writeFileSync(`${file}.br`, await compress(served, brotliOptions));
    }),
  );
}

const serverFolder = join(root, ".next", "server-code");
/** The file that `npm start` runs: the server from the last build. */
export const builtServer = join(serverFolder, "main.mjs");

/**
 * Completes a build after Next has built the pages: compresses scripts and styles, bundles the server's code, and
 * stores the hash of the sources.
 */
export async function completeBuild(hash = hashSources()) {
  await Promise.all([compressBuild(), bundleServer(root, serverFolder)]);
  writeFileSync(buildStamp, hash);
}

function isBuilt(hash = hashSources()) {
  return (
    existsSync(join(root, ".next", "BUILD_ID")) &&
    existsSync(builtServer) &&
    existsSync(buildStamp) &&
    readFileSync(buildStamp, "utf8") === hash
  );
}

/**
 * Builds the pages if the sources have changed since the last build.
 * @param {{ check: () => Promise<void>, say: (line: string) => void }} options `check` runs before a build begins
 */
export async function ensureBuild({ check, say }) {
  const hash = hashSources();
  if (isBuilt(hash)) return;
  await check();
  say("Building the pages …");
  clearBuildStamp();
  const [command = "", ...args] = buildCommand;
  await runQuietly(command, args, "The build", { env: { ...toChildEnv(), NODE_ENV: "production" } });
  // The build runs in a separate process, which keeps the compiler and its memory out of the server.
  const finish = fileURLToPath(new URL("./completeBuild.mjs", import.meta.url));
  await runQuietly(process.execPath, [finish, hash], "The build");
}

/** Checks the networks file. It runs in a separate process, because only the TypeScript code can read that file. */
export async function checkConfig() {
  await runQuietly(process.execPath, [...typescript, "server/node/main.ts", "--check"], "");
}
