import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root, typescript } from "@/server/bin/prepare.mjs";

const built = join(root, ".next", "cache");
mkdirSync(built, { recursive: true });
const folder = mkdtempSync(join(built, "typescript-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("ignores the files that Next builds", () => {
  // The same contents as the .next/package.json that Next writes.
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
  writeFileSync(join(folder, "page.cjs"), 'console.log(require("./[turbopack]_runtime.js"));');
  writeFileSync(join(folder, "[turbopack]_runtime.js"), 'module.exports = "a page";');
  const output = execFileSync(process.execPath, [...typescript, join(folder, "page.cjs")], { encoding: "utf8" });
  expect(output).toBe("a page\n");
});
