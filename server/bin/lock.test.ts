/** The lock file is whole: `npm ci` refuses one that leaves out the packages of other platforms. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Entry = { version?: string; optionalDependencies?: Record<string, string> };

const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
  packages: Record<string, Entry>;
};

/** Looks where Node would: beside the package that asks, then in each folder above it. */
function isLocked(name: string, asker: string): boolean {
  for (let base = asker; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${base === "" ? "" : `${base}/`}node_modules/${name}`]?.version) return true;
    if (base === "") return false;
  }
}

test("every optional package of every package is locked", () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(name, path)),
  );
  expect(missing).toEqual([]);
});
