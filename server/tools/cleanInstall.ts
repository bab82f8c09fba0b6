/**
 * Runs through the first minute of a user who installs the npm package: packs this build, installs it with an empty npm
 * cache, runs `npx tollscan`, loads pages, pays for a resource with the published x402 client, and stops. Also checks
 * the installation's contents and the README's recipes.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { root, toNpmCommand } from "@/server/bin/prepare.mjs";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { findFreePort } from "@/server/testing/findFreePort";
import { payOnBaseSepolia, toSeconds, toTerminalEnv } from "@/server/tools/newUser";
import { getStartScript, readCompose, readDevContainer, readWorkflow } from "@/server/tools/recipes";
import { runShop, runSuites } from "@/server/tools/runSuites";

const folder = mkdtempSync(join(tmpdir(), "tollscan-install-"));
const app = join(folder, "app");
const temporary = join(folder, "temporary");
const env = { ...toTerminalEnv(folder), TMPDIR: temporary };
const { command: npm, prefix } = toNpmCommand();
const maxInstalledBytes = 80 * 2 ** 20;
/** The text that the README's buyer prints. */
const bought = "200 { report: 'sunny' }";
/** The text that is printed when a recipe's server has started. */
const started = "the server has started";
const permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

const toMegabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function assert(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(sentence);
}

const listFiles = (from: string) =>
  readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function install(tarball: string): void {
  mkdirSync(app);
  mkdirSync(temporary);
  writeFileSync(join(app, "package.json"), JSON.stringify({ private: true }));
  const startMs = performance.now();
  execFileSync(npm, [...prefix, "install", "--no-audit", "--no-fund", tarball], { cwd: app, env, stdio: "pipe" });
  const files = listFiles(join(app, "node_modules"));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  console.log(`Installed ${toMegabytes(statSync(tarball).size)} as ${toMegabytes(bytes)} in ${toSeconds(startMs)}.`);
  assert(bytes <= maxInstalledBytes, `The limit is ${toMegabytes(maxInstalledBytes)}.`);
  const installed = readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith("."));
  assert(
    installed.join() === "better-sqlite3,node-addon-api,tollscan",
    `npm installed packages that the package doesn't list: ${installed.join(", ")}.`,
  );
  const ours = listFiles(join(app, "node_modules", "tollscan"));
  const named = ours.find((file) => readFileSync(file).includes(root));
  assert(named === undefined, `${named} contains the path of the folder it was built in.`);
}

type Start = { url: string; networks: { name: string; rpcUrl: string }[]; accounts: object[]; pid: number };

async function visit({ url, networks, accounts }: Start): Promise<void> {
  assert(accounts.length === 10, `The startup output lists ${accounts.length} accounts.`);
  const rpcUrl = networks.find(({ name }) => name === "base-sepolia")?.rpcUrl ?? "";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getCode", params: [permit2, "latest"] });
  const answer = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result } = (await answer.json()) as { result: string };
  assert(result.length > 1_000, `Permit2 has the code ${result}.`);
  for (const path of ["/testnet", "/testnet/playground", "/base-sepolia/blocks"]) {
    const page = await fetch(url + path);
    assert(page.status === 200, `${path} has status ${page.status}.`);
    assert(!page.headers.has("x-powered-by"), `${path} has the x-powered-by header; the build must turn it off.`);
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await page.text())?.[1];
    assert(script !== undefined, `${path} has no script.`);
    assert((await fetch(url + script)).status === 200, `${script} is missing.`);
  }
  console.log(`Paid in transaction ${await payOnBaseSepolia(url)}.`);
  for (const network of ["base-sepolia", "testnet"] as const) {
    const printed = await runShop(app, url, network);
    assert(printed === bought, `The README's buyer on ${network} printed ${printed} instead of ${bought}.`);
  }
}

/**
 * Starts the server with the script in one of the README's recipes, and pays. The script must not return before the
 * server has started.
 */
async function tryRecipe(name: string, script: string, settings: Record<string, string> = {}): Promise<void> {
  const port = String(await findFreePort());
  const installed = [npm, ...prefix, "exec", "--yes", "--", "tollscan"].map((word) => `'${word}'`).join(" ");
  const local = script.replaceAll("npx --yes tollscan", installed).replaceAll(/\b3000\b/g, port);
  // If the first call to `wait` fails, calls it again, because a signal ends the first call.
  const shell = spawn("bash", ["-eo", "pipefail", "-c", `trap : TERM\n${local}\necho; echo ${started}\nwait || wait`], {
    cwd: app,
    env: { ...env, ...settings, PORT: port, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () => process.kill(-(shell.pid ?? 0), "SIGTERM");
  const ended = once(shell, "close");
  process.once("exit", stop);
  let isStarted = false;
  for await (const line of createInterface(shell.stdout)) {
    if (line !== started) continue;
    isStarted = true;
    console.log(`${name}: paid in transaction ${await payOnBaseSepolia(`http://localhost:${port}`)}.`);
    stop();
  }
  assert(isStarted, `The recipe for ${name} did not start the server.`);
  await ended;
  process.off("exit", stop);
}

async function tryRecipes(): Promise<void> {
  await tryRecipe("GitHub Actions", getStartScript(readWorkflow()));
  const { command = "", environment, healthcheck } = readCompose().services.tollscan;
  const untilHealthy = `until ${healthcheck.test} 2> /dev/null; do kill -0 $!; sleep 1; done`;
  const database = await createTestDatabase();
  const settings = { ...environment, DATABASE_URL: database.url };
  await tryRecipe("Docker Compose", `${command} &\n${untilHealthy}`, settings);
  await database.remove();
  await tryRecipe("dev container", `${readDevContainer().postStartCommand}\n${untilHealthy}`);
  assert(readdirSync(app).includes(".tollscan"), "The dev container's server keeps no data.");
}

/** Runs `npx tollscan` once and passes its startup output to `use`. */
async function runCommand(use: (start: Start) => Promise<void>): Promise<void> {
  const startMs = performance.now();
  // Runs in a separate process group, so that leftover processes can be detected.
  const npx = spawn(npm, [...prefix, "exec", "tollscan", "--", "--port", "0", "--json"], {
    cwd: app,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const group = -(npx.pid ?? 0);
  const ended = once(npx, "close");
  const kill = () => process.kill(group, "SIGKILL");
  process.once("exit", kill);
  const [output] = await Promise.race([
    once(createInterface(npx.stdout), "line"),
    ended.then(([code]) => Promise.reject(new Error(`npx tollscan exited with code ${code}.`))),
  ]);
  const start = JSON.parse(String(output)) as Start;
  console.log(`Ready after ${toSeconds(startMs)}.`);
  await use(start);
  process.kill(start.pid, "SIGTERM");
  await ended;
  process.off("exit", kill);
  let isLeft = true;
  try {
    process.kill(group, 0);
  } catch {
    isLeft = false;
  }
  assert(!isLeft, "A process was left behind.");
  assertNothingLeft();
}

function assertNothingLeft(): void {
  const left = [...readdirSync(temporary), ...readdirSync(app)].filter((name) => /^\.?tollscan(-|$)/.test(name));
  assert(left.length === 0, `These folders were left behind: ${left.join(", ")}.`);
}

try {
  const tarball = execFileSync(process.execPath, [join(root, "server/bin/pack.mjs")], { encoding: "utf8" }).trim();
  install(tarball);
  await runCommand(visit);
  await runCommand(async () => undefined);
  runSuites(app, env);
  assertNothingLeft();
  await tryRecipes();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
