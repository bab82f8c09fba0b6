/**
 * Runs the program named by its arguments until its own standard input ends, then kills the program and removes the
 * folder. Whoever holds the other end of that pipe leaves nothing behind, even if it is killed itself.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

const [folder = "", user = "", program = "", ...args] = process.argv.slice(2);
const owner = user === "" ? {} : { uid: Number(user), gid: Number(user) };
const child = spawn(program, args, { ...owner, stdio: ["ignore", "inherit", "inherit"] });
// Postgres takes this as an immediate shutdown: nothing of it is kept.
process.stdin.on("close", () => child.kill("SIGQUIT")).resume();
child.on("error", (error) => process.stderr.write(`${error.message}\n`));
child.on("close", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
