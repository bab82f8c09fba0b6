/**
 * Every npm script starts here: `node server/bin/run.mjs [--dev] FILE ARGS` runs one of our files or a package's file,
 * on a downloaded Node if this one is too old. It installs packages first (with --dev, also development packages),
 * unless FILE is one of our own .mjs files. Like node.mjs, this file must load on an old Node.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureNode, isNodeSupported, runInstead, toNodeEnv } from "./node.mjs";
import { ensurePackages, root, StepError, typescript } from "./prepare.mjs";

const say = (/** @type {string} */ line) => console.error(line);

async function run() {
  if (!isNodeSupported()) {
    const node = await ensureNode((line) => say(`This is Node ${process.versions.node}, which is too old. ${line}`));
    return runInstead(node, [...process.execArgv, ...process.argv.slice(1)], { env: toNodeEnv(node), isTied: true });
  }
  const given = process.argv.slice(2);
  const withDev = given[0] === "--dev";
  const [program = "", ...args] = withDev ? given.slice(1) : given;
  const file = resolve(root, program);
  if (file.startsWith(join(root, "server")) && file.endsWith(".mjs")) {
    process.argv = [process.execPath, file, ...args];
    await import(pathToFileURL(file).href);
    return;
  }
  await ensurePackages({ withDev, say });
  runInstead(process.execPath, [...(file.endsWith(".ts") ? typescript : []), file, ...args], {
    env: process.env,
    isTied: false,
  });
}

try {
  await run();
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}
