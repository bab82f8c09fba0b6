/**
 * Runs the README's programs in a folder in which the package is installed. The first line of each code block contains
 * its file name. Other packages are linked from this project.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { root } from "@/server/bin/prepare.mjs";
import { findFreePort } from "@/server/testing/findFreePort";

const linked = [
  ...["viem", "vitest", "@playwright/test", "@types/node"],
  ...["express", "@types/express", "@x402/core", "@x402/evm", "@x402/fetch"],
];
const readme = readFileSync(join(root, "README.md"), "utf8");
const snippets = new Map(
  [...readme.matchAll(/^```[jt]s\n\/\/ ([\w.]+)[^\n]*\n(.*?)^```/gms)].map(([, name = "", code = ""]) => [name, code]),
);
/** The lines in the README that let a published client pay on testnet. */
const spendControls = /^const usdc = .*\nclient\.setSpendControls\(.*$/m.exec(readme)?.[0] ?? "";

/** Links packages from this project, so that the programs can import them. */
function linkPackages(app: string): void {
  for (const name of linked) {
    const link = join(app, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(root, "node_modules", name), link);
  }
}

/**
 * Runs the seller with the Tollscan server at this URL, and returns the buyer's output. On testnet, the buyer uses the
 * README's spend controls. The seller is the README's, or the given code.
 */
export async function runShop(
  app: string,
  url: string,
  network: "base-sepolia" | "testnet",
  sellerCode?: string,
): Promise<string> {
  linkPackages(app);
  const port = String(await findFreePort());
  const write = (name: string, change = (code: string) => code) => {
    const code = change(snippets.get(name) ?? "").replaceAll(/http:\/\/localhost:3000\b/g, url);
    const local = code.replaceAll(/\b4021\b/g, port).replaceAll("base-sepolia", network);
    writeFileSync(join(app, name), network === "testnet" ? local.replaceAll("84532", "10143") : local);
  };
  write("seller.mjs", (code) => sellerCode ?? code);
  write("buyer.mjs", (code) => (network === "testnet" ? code.replace("const response", `${spendControls}\n$&`) : code));
  const seller = spawn(process.execPath, ["seller.mjs"], { cwd: app, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(seller, "close");
  const failed = ended.then(([code]) => Promise.reject(new Error(`seller.mjs exited with code ${code}.`)));
  failed.catch(() => undefined);
  try {
    await Promise.race([once(createInterface(seller.stdout), "line"), failed]);
    return (await promisify(execFile)(process.execPath, ["buyer.mjs"], { cwd: app })).stdout.trim();
  } finally {
    seller.kill();
    await ended;
  }
}

/** Runs the README's test suites. Throws if one fails. */
export function runSuites(app: string, env: NodeJS.ProcessEnv): void {
  linkPackages(app);
  for (const [name, code] of snippets) writeFileSync(join(app, name), code);
  const modules = join(app, "node_modules");
  const suites: [name: string, args: string[]][] = [
    ["report.test.mjs", ["--test", "report.test.mjs"]],
    ["payments.test.mjs", ["--test", "payments.test.mjs"]],
    ["payment.test.ts", [join(modules, "vitest/vitest.mjs"), "run", "payment.test.ts"]],
    ["explorer.spec.ts", [join(modules, "@playwright/test/cli.js"), "test", "explorer.spec.ts"]],
  ];
  for (const [name, args] of suites) {
    if (!snippets.has(name)) throw new Error(`The README has no ${name}.`);
    const startMs = performance.now();
    try {
      execFileSync(process.execPath, args, { cwd: app, env, stdio: "pipe" });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
      throw new Error(`${name} failed:\n${stdout}${stderr}`, { cause: error });
    }
    console.log(`Ran ${name} in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
  }
  checkTypes(app);
}

/** Type-checks all snippets in the strictest mode, once with each of two `moduleResolution` settings. */
export function checkTypes(app: string): void {
  linkPackages(app);
  for (const [name, code] of snippets) writeFileSync(join(app, name), code);
  const files = [...snippets.keys()].filter((name) => /\.ts$|^(seller|buyer)/.test(name));
  for (const moduleResolution of ["nodenext", "bundler"]) {
    const module = moduleResolution === "nodenext" ? "nodenext" : "esnext";
    // `skipLibCheck` is set because the test runners' own type declarations have errors.
    const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, checkJs: true, skipLibCheck: true };
    const compilerOptions = { ...options, target: "es2022", types: ["node"], module, moduleResolution };
    writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", app], { stdio: "inherit" });
  }
}
