/** Tests that the lock file is complete: `npm ci` fails if packages of other platforms are missing from it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Entry = { version?: string; optionalDependencies?: Record<string, string> };

const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
  packages: Record<string, Entry>;
};

/** Searches as Node does: in the importing package's node_modules, then in that of each folder above it. */
function isLocked(name: string, asker: string): boolean {
  for (let base = asker; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${base === "" ? "" : `${base}/`}node_modules/${name}`]?.version) return true;
    if (base === "") return false;
  }
}

test("the lock file contains every optional package of every package", () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(name, path)),
  );
  expect(missing).toEqual([]);
});
