/**
 * `npm run test:nodes [-- VERSION ...]`: on several versions of Node, checks types, runs unit and integration tests,
 * starts the server from a clean clone, and makes a payment. VERSION is an exact version, or a release line such as 24,
 * which stands for the newest version of that line. Every step runs even if another fails.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureNode, findNewestNode, toNodeEnv } from "./node.mjs";
import { ensurePackages, root, typescript } from "./prepare.mjs";

const given = process.argv.slice(2);
const versions = given.length > 0 ? given : ["22.18.0", "22", "24", "26"];
const say = (/** @type {string} */ line) => console.log(line);

/** @type {[title: string, args: string[]][]} */
const steps = [
  ["Types", [join(root, "node_modules/typescript/bin/tsc"), "--noEmit"]],
  ["Unit and integration tests", [join(root, "node_modules/vitest/vitest.mjs"), "run"]],
  ["Start from a clean clone, with a payment", [...typescript, join(root, "server/tools/cleanClone.ts")]],
];

await ensurePackages({ withDev: true, say });
/** @type {string[]} */
const failures = [];
for (const wanted of versions) {
  const version = /^\d+\.\d+\.\d+$/.test(wanted) ? wanted : findNewestNode(wanted);
  const node = await ensureNode(say, version);
  say(`\n== Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
  for (const [title, args] of steps) {
    say(`\n-- ${title}`);
    const { status } = spawnSync(node, args, { cwd: root, env: toNodeEnv(node), stdio: "inherit" });
    if (status !== 0) failures.push(`Node ${version}: ${title}`);
  }
}
say(failures.length > 0 ? `\nFailed:\n${failures.join("\n")}` : `\nAll passed on ${versions.join(", ")}.`);
process.exit(failures.length > 0 ? 1 : 0);
