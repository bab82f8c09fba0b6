/**
 * Checks commit messages for `npm run check` and `npm test`: a subject of at most 72 characters in the imperative, and
 * a body that says why. Reads the commits that are not on the main branch yet; if there are none, reads the last 20 and
 * requires a body only for the newest. Without git or a repository, skips the check.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const maxLength = 72;
/** Imperatives that look like another verb form, because they end in -ed, -ing or -s. */
const imperatives = /^(Embed|Feed|Need|Seed|Speed|Bring|Ping|String|Focus|\w+ss)$/;

/**
 * The problem with a commit message in one sentence; undefined if there is none.
 * @param {{ subject: string, body: string }} message @param {boolean} needsBody
 */
export function findCommitFault({ subject, body }, needsBody) {
  const [verb = ""] = subject.split(/[ :]/);
  if (subject.length > maxLength) return `its subject has ${subject.length} characters; use at most ${maxLength}`;
  if (!/^[A-Z]/.test(subject)) return "its subject must start with a capital letter";
  if (/[.…]$/.test(subject)) return "its subject must not end with a period";
  if (/(ed|ing|s)$/.test(verb) && !imperatives.test(verb)) {
    return `its subject must be in the imperative, such as "Add", not "${verb}"`;
  }
  return needsBody && body.trim() === "" ? "it has no body; add one that says why" : undefined;
}

/** @param {string[]} args @returns {string | undefined} */
function runGit(args) {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** @param {string[]} range */
function readCommits(range) {
  const text = runGit(["log", "--no-merges", "--format=%h%x1f%s%x1f%b%x1e", ...range]) ?? "";
  return text
    .split("\x1e")
    .map((entry) => entry.trim().split("\x1f"))
    .filter(([hash]) => hash)
    .map(([hash = "", subject = "", body = ""]) => ({ hash, subject, body }));
}

function main() {
  const main = ["origin/HEAD", "origin/main", "main"].find((name) => runGit(["rev-parse", "--verify", "-q", name]));
  const base = main && runGit(["merge-base", main, "HEAD"]);
  const own = base ? readCommits([`${base}..HEAD`]) : [];
  const commits = own.length > 0 ? own : readCommits(["-20"]);
  for (const [index, { hash, subject, ...message }] of commits.entries()) {
    const fault = findCommitFault({ subject, ...message }, own.length > 0 || index === 0);
    if (!fault) continue;
    console.error(`Commit ${hash} "${subject}": ${fault}.`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
