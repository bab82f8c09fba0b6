/**
 * Finds or installs a Chromium for the browser tests. Tries these in order: the browser set in the configuration, the
 * system's, one that Playwright has already downloaded, the Linux distribution's package, and a new download. Returns
 * the browser's path, or throws a StepError that says what to do.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root, StepError, toChildEnv } from "./prepare.mjs";

/** The headless shell comes first: it is Chromium without a user interface, and it makes the tests a third faster. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const macPaths = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findSystemBrowser() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...macPaths].find(isExecutable);
}

/**
 * Returns the path of the Chromium that Playwright has downloaded; undefined if the revision that the installed
 * Playwright needs is missing.
 */
async function findPlaywrightBrowser() {
  const { chromium } = await import("@playwright/test");
  const file = chromium.executablePath();
  return existsSync(file) ? file : undefined;
}

/** @param {string} command @param {string[]} args */
function runShown(command, args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: toChildEnv(),
    stdio: ["ignore", "inherit", "inherit"],
  });
  return status === 0;
}

/** @param {(line: string) => void} say */
export async function getBrowser(say) {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new StepError(`CHROMIUM_PATH is ${named}, which is not an executable file.`);
  }
  const present = findSystemBrowser() ?? (await findPlaywrightBrowser());
  if (present) return present;

  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    say("Installing chromium with apt-get …");
    const install = (/** @type {string} */ name) => runShown("apt-get", ["install", "-y", "-qq", name]);
    const installed =
      runShown("apt-get", ["update", "-qq"]) && (install("chromium-headless-shell") || install("chromium"));
    const browser = installed ? findSystemBrowser() : undefined;
    if (browser) return browser;
  }
  say("Downloading Chromium with Playwright …");
  const cli = join(root, "node_modules", "@playwright", "test", "cli.js");
  const browser = runShown(process.execPath, [cli, "install", "chromium"]) ? await findPlaywrightBrowser() : undefined;
  if (browser) return browser;
  throw new StepError("Chromium was not found and could not be installed; set CHROMIUM_PATH to its executable.");
}
