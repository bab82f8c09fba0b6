/**
 * Runs the program given in its arguments until standard input closes, then kills the program and removes the folder
 * given in the first argument. As a result, the process that started this guard leaves nothing behind, even if it is
 * killed.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

const [folder = "", user = "", program = "", ...args] = process.argv.slice(2);
const owner = user === "" ? {} : { uid: Number(user), gid: Number(user) };
const child = spawn(program, args, { ...owner, stdio: ["ignore", "inherit", "inherit"] });
// When Postgres receives this signal, it shuts down immediately and saves no data.
process.stdin.on("close", () => child.kill("SIGQUIT")).resume();
child.on("error", (error) => process.stderr.write(`${error.message}\n`));
child.on("close", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
