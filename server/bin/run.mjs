/**
 * Runs a TypeScript program of ours from a clean clone: `node server/bin/run.mjs server/bin/import.ts …`. Installs the
 * packages first where they are missing.
 */
import { spawn } from "node:child_process";
import { assertNode, ensurePackages, root, StepError, typescript } from "./prepare.mjs";

const [program = "", ...args] = process.argv.slice(2);

try {
  assertNode();
  await ensurePackages({ withDev: false, say: (line) => console.log(line) });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}
const child = spawn(process.execPath, [...typescript, `${root}/${program}`, ...args], { stdio: "inherit" });
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(signal, () => child.kill(signal));
child.on("close", (code) => process.exit(code ?? 1));
