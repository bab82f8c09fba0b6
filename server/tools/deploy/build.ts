/** Builds a copy of the project with Vercel's CLI, without an account and without contacting Vercel. */
import { spawn } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { StepError, toNpmCommand } from "@/server/bin/prepare.mjs";

const cliVersion = "64.0.2";
/** Files that aren't copied, in addition to those in .vercelignore. */
const left = ["node_modules", ".git", ".next", ".vercel", ".tollscan"];

/**
 * Installs the CLI if it is missing, and returns the path of its script. It isn't a dependency, because everyone would
 * then have to install 280 packages.
 */
export async function ensureCli(root: string, say: (line: string) => void): Promise<string> {
  const folder = join(root, "node_modules", ".cache", `vercel-${cliVersion}`);
  const script = join(folder, "node_modules", "vercel", "dist", "vc.js");
  const stamp = join(folder, "installed");
  if (existsSync(stamp)) return script;
  say(`Fetching Vercel's CLI ${cliVersion} …`);
  mkdirSync(folder, { recursive: true });
  const manifest = {
    private: true,
    dependencies: { vercel: cliVersion },
    // Pins the CLI's client for another Vercel product. Builds don't load it.
    overrides: { sandbox: "4.5.0" },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const { command, prefix } = toNpmCommand();
  const flags = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  await runQuietly(command, [...prefix, "install", ...flags], folder, process.env, "npm install of vercel");
  writeFileSync(stamp, "");
  return script;
}

/** Copies the project to an empty folder. Its packages are hard-linked if the file system supports that. */
export function copyProject(root: string, target: string): void {
  const ignored = new Set([...left, ...readIgnored(root)]);
  cpSync(root, target, {
    recursive: true,
    filter: (source) => !ignored.has(relative(root, source)) && !/\.test\.tsx?$/.test(basename(source)),
  });
  linkFolder(join(root, "node_modules"), join(target, "node_modules"));
  // Copies the contracts that this project has fetched. If the build fetched them itself, it would ignore this
  // machine's npm settings.
  const fetched = join(".cache", "publicContracts.json");
  cpSync(join(root, fetched), join(target, fetched));
}

const readIgnored = (root: string) =>
  readFileSync(join(root, ".vercelignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === ".cache") continue;
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true });
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The target is on another file system, or on one that doesn't support hard links.
    copyFileSync(source, target);
  }
}

/** Builds a copy made by `copyProject` into its .vercel folder. Rejects with StepError. */
export async function buildOutput(cli: string, project: string): Promise<void> {
  const settings = JSON.parse(readFileSync(join(project, "vercel.json"), "utf8")) as Record<string, unknown>;
  // Replaces the install command, because the packages are already installed.
  writeFileSync(join(project, "vercel.json"), JSON.stringify({ ...settings, installCommand: "node --version" }));
  mkdirSync(join(project, ".vercel"));
  // The file that `vercel link` would write, with made-up names.
  const link = { projectId: "prj_check", orgId: "team_check", projectName: "check", settings: { framework: "nextjs" } };
  writeFileSync(join(project, ".vercel", "project.json"), JSON.stringify(link));
  const home = join(project, ".vercel", "home");
  mkdirSync(home);
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    // Keeps the user's account, the user's settings and DATABASE_URL out of the build.
    HOME: home,
    XDG_DATA_HOME: home,
    VERCEL_TELEMETRY_DISABLED: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    NO_UPDATE_NOTIFIER: "1",
  };
  await runQuietly(process.execPath, [cli, "build", "--prod", "--yes"], project, env, "vercel build");
}

/** Runs a command, and shows its output only if it fails. Rejects with StepError. */
function runQuietly(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", (error) => reject(new StepError(`${what} failed: ${error.message}.`)));
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new StepError(`${output}\n${what} failed (${code}).`)),
    );
  });
}
