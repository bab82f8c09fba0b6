#!/usr/bin/env node
/** The `tollscan` command. It must load even on unsupported versions of Node, so it can report them. */
import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const least = engines.node.replace(">=", "");
const [major, minor] = process.versions.node.split(".").map(Number);
const [leastMajor, leastMinor] = least.split(".").map(Number);
const command = new URL("../.next/server-code/command.mjs", import.meta.url);

/** @param {string} sentence */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  fail(`Tollscan needs Node ${least} or newer, but this is Node ${process.versions.node}; install a newer one.`);
} else if (!existsSync(command)) {
  fail("Tollscan is not built; run npm start, which builds it.");
} else {
  Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
  // Without this cache, compilation accounts for a third of the time until the first page is shown.
  nodeModule.enableCompileCache(fileURLToPath(new URL("../.next/cache/compiled", import.meta.url)));
  import(command.href);
}
