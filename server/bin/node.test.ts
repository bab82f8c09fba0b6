/** Tests which Node versions are supported, and what happens if downloading a Node fails. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ensureNode, isNodeSupported, toNodeEnv } from "@/server/bin/node.mjs";
import { root } from "@/server/bin/prepare.mjs";

test.each([
  ["20.20.2", false],
  ["22.17.9", false],
  ["22.18.0", true],
  ["24.0.0", true],
  ["26.10.0", true],
])("knows whether Node %s is supported (%s)", (version, isSupported) => {
  expect(isNodeSupported(version)).toBe(isSupported);
});

test("puts a downloaded Node's folder first in PATH", () => {
  expect(toNodeEnv("/somewhere/bin/node").PATH).toMatch(new RegExp(`^${dirname("/somewhere/bin/node")}:.`));
});

test("prints one line about downloading a Node, and leaves nothing behind if the download fails", async () => {
  const said: string[] = [];
  await expect(ensureNode((line) => said.push(line), "24.999.0")).rejects.toThrow(/Fetching Node 24.999.0 failed/);
  expect(said).toEqual(["Fetching Node 24.999.0 …"]);
  expect(readdirSync(join(root, ".cache")).filter((name) => name.includes("24.999.0"))).toEqual([]);
});
