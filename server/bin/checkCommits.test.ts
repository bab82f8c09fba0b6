/** Tests the rules for commit messages, and the check as `npm run check` runs it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { findCommitFault } from "@/server/bin/checkCommits.mjs";

const program = fileURLToPath(new URL("./checkCommits.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tollscan-commits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (cwd: string) => spawnSync(process.execPath, [program], { cwd, encoding: "utf8" });

test.each(["Add a check", "Process payments in batches", "Seed the chain", `A${"b".repeat(71)}`])(
  "accepts the subject %j",
  (subject) => {
    expect(findCommitFault({ subject, body: "It was missing." }, true)).toBeUndefined();
  },
);

test.each([
  ["Added a check", "imperative"],
  ["Adds a check", "imperative"],
  ["Adding a check", "imperative"],
  ["add a check", "capital letter"],
  ["Add a check.", "period"],
  [`A${"b".repeat(72)}`, "73 characters"],
])("rejects the subject %j", (subject, fault) => {
  expect(findCommitFault({ subject, body: "It was missing." }, true)).toContain(fault);
});

test("requires a body only if the caller says so", () => {
  expect(findCommitFault({ subject: "Add a check", body: "\n" }, true)).toContain("no body");
  expect(findCommitFault({ subject: "Add a check", body: "" }, false)).toBeUndefined();
});

test("passes outside a repository, and fails if the newest commit has no body", () => {
  expect(check(folder)).toMatchObject({ status: 0, stderr: "" });
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", ...args],
      { cwd: folder },
    );
  git("init", "-q", "-b", "main");
  expect(check(folder).status).toBe(0);
  git("commit", "-q", "--allow-empty", "-m", "Start without a body");
  expect(check(folder)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('"Start without a body": it has no'),
  });
  git("commit", "-q", "--allow-empty", "-m", "Add a body", "-m", "Older commits may lack one.");
  expect(check(folder)).toMatchObject({ status: 0, stderr: "" });
  git("checkout", "-q", "-b", "topic");
  git("commit", "-q", "--allow-empty", "-m", "Add another one");
  git("commit", "-q", "--allow-empty", "-m", "Add a third one", "-m", "It is fine.");
  expect(check(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('"Add another one": it has no') });
  git("commit", "-q", "--allow-empty", "-m", "Breaking it again", "-m", "In a new commit.");
  expect(check(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining("imperative") });
});
