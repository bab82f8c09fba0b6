/** Tests creating folders, in folders that allow it and in others. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder } from "@/server/storage/makeFolder";

const folder = mkdtempSync(join(tmpdir(), "tollscan-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("makeFolder", () => {
  it("creates a folder with its parents, and accepts one that exists", () => {
    const path = join(folder, "a", "b", "c");
    makeFolder(path);
    makeFolder(path);
    expect(existsSync(path)).toBe(true);
  });

  it("throws if a part of the path is a file", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => makeFolder(join(folder, "file"))).toThrow("EEXIST");
    expect(() => makeFolder(join(folder, "file", "below"))).toThrow(/EEXIST|ENOTDIR/);
  });

  it.runIf(existsSync("/proc/self"))("throws, and doesn't hang, if the file system takes no folders", () => {
    expect(() => makeFolder("/proc/tollscan/data")).toThrow("ENOENT");
  });
});
