/**
 * Runs the README's test suites in a folder with the installed package. The first line of a suite's code block names
 * its file. Test runners and viem are linked from this project instead of downloaded.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@/server/bin/prepare.mjs";

const linked = ["viem", "vitest", "@playwright/test", "@types/node"];

function writeSnippets(app: string): string[] {
  const blocks = readFileSync(join(root, "README.md"), "utf8").matchAll(/^```[jt]s\n\/\/ ([\w.]+)[^\n]*\n(.*?)^```/gms);
  return [...blocks].map(([, name = "", code = ""]) => {
    writeFileSync(join(app, name), code);
    return name;
  });
}

/** Throws if a suite fails. */
export function runSuites(app: string, env: NodeJS.ProcessEnv): void {
  for (const name of linked) {
    mkdirSync(dirname(join(app, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(app, "node_modules", name));
  }
  const names = writeSnippets(app);
  const modules = join(app, "node_modules");
  const suites: [name: string, args: string[]][] = [
    ["payments.test.mjs", ["--test", "payments.test.mjs"]],
    ["payment.test.ts", [join(modules, "vitest/vitest.mjs"), "run", "payment.test.ts"]],
    ["explorer.spec.ts", [join(modules, "@playwright/test/cli.js"), "test", "explorer.spec.ts"]],
  ];
  for (const [name, args] of suites) {
    if (!names.includes(name)) throw new Error(`The README has no ${name}.`);
    const startMs = performance.now();
    try {
      execFileSync(process.execPath, args, { cwd: app, env, stdio: "pipe" });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
      throw new Error(`${name} failed:\n${stdout}${stderr}`, { cause: error });
    }
    console.log(`Ran ${name} in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
  }
  checkTypes(
    app,
    names.filter((name) => name.endsWith(".ts")),
  );
}

/** Checks the suites' types, in the strictest mode and with both ways to find a package. */
function checkTypes(app: string, files: string[]): void {
  for (const moduleResolution of ["nodenext", "bundler"]) {
    const module = moduleResolution === "nodenext" ? "nodenext" : "esnext";
    // `skipLibCheck` is set because the test runners' own type declarations have errors.
    const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true };
    const compilerOptions = { ...options, target: "es2022", types: ["node"], module, moduleResolution };
    writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", app], { stdio: "inherit" });
  }
}
