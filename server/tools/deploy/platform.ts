/**
 * A small local stand-in for Vercel's platform: routes requests according to the build, and runs each function in its
 * own process. As on the platform, a process is suspended while it has no request.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOutput, type BuiltFunction, unpackFunction } from "@/server/tools/deploy/output";
import {
  assertUnderstood,
  type MiddlewareResult,
  type Resolution,
  type RoutedRequest,
  resolveRoute,
} from "@/server/tools/deploy/routing";

export type Platform = {
  origin: string;
  /** Folders that functions were unpacked into. */
  folders: string[];
  /** The folder that functions may write to. */
  temporary: string;
  /** The functions' log output. */
  log(): string;
  close(): Promise<void>;
};

type Instance = { port: number; child: ChildProcess; running: number };
type Unpacked = BuiltFunction & { unpacked: string; instance?: Promise<Instance> };

const host = fileURLToPath(new URL("./host.mjs", import.meta.url));
const contentTypes: Record<string, string> = {
  ".js": "application/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".html": "text/html; charset=utf-8",
};
/** Environment variables that the platform sets. */
const platformEnv: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  VERCEL: "1",
  VERCEL_ENV: "production",
  VERCEL_REGION: "iad1",
  AWS_LAMBDA_FUNCTION_NAME: "check",
};
/**
 * Headers that aren't forwarded, because they belong to one connection (`hopHeaders`) or to a body that isn't forwarded
 * either (`bodyHeaders`).
 */
const hopHeaders = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade"]);
const bodyHeaders = new Set(["content-length", "transfer-encoding", "expect"]);

type Found = Extract<Resolution, { kind: "found" }>;
type State = {
  output: BuildOutput;
  byName: Map<string, Unpacked>;
  /** Environment variables that the project's owner set. */
  env: Record<string, string>;
  temporary: string;
  children: Set<ChildProcess>;
  log: string;
};

/**
 * Unpacks a build's functions into the folder and starts listening. `env` holds the environment variables that the
 * project's owner set.
 */
export async function startPlatform(
  root: string,
  output: BuildOutput,
  folder: string,
  env: Record<string, string>,
): Promise<Platform> {
  assertUnderstood(output.routes);
  const temporary = join(folder, "tmp");
  mkdirSync(temporary, { recursive: true });
  const functions = output.functions.map((built, index): Unpacked => {
    const unpacked = join(folder, `function-${index}`);
    unpackFunction(root, built, unpacked);
    return { ...built, unpacked };
  });
  const byName = new Map(functions.flatMap((one) => one.names.map((name) => [name, one] as const)));
  const state: State = { output, byName, env, temporary, children: new Set(), log: "" };
  // This also kills suspended processes, because they can't notice that this process has ended.
  const killAll = () => {
    for (const child of state.children) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const server = createServer((req, res) => {
    answer(state, req, res).catch((error) => {
      state.log += `${error instanceof Error ? error.stack : error}\n`;
      if (!res.headersSent) res.writeHead(500);
      res.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    folders: functions.map(({ unpacked }) => unpacked),
    temporary,
    log: () => state.log,
    async close() {
      process.off("exit", killAll);
      killAll();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function start(state: State, { unpacked, config }: Unpacked): Promise<Instance> {
  const child = spawn(process.execPath, [host, unpacked, config.handler, String(config.useWebApi ?? false)], {
    cwd: unpacked,
    env: { PATH: process.env.PATH, TMPDIR: state.temporary, ...platformEnv, ...config.environment, ...state.env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  state.children.add(child);
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on("data", (chunk) => {
      state.log = (state.log + chunk).slice(-100_000);
    });
  }
  const ended = once(child, "exit").then(([code]) =>
    Promise.reject(new Error(`A function exited with code ${code}:\n${state.log}`)),
  );
  ended.catch(() => undefined);
  const [address] = (await Promise.race([once(child, "message"), ended])) as [AddressInfo];
  return { child, port: address.port, running: 0 };
}

/**
 * Wakes the function's process for one request. The process is suspended again once every running request has called
 * `done()`.
 */
async function wake(state: State, unpacked: Unpacked): Promise<{ port: number; done(): void }> {
  unpacked.instance ??= start(state, unpacked);
  const instance = await unpacked.instance;
  instance.running++;
  instance.child.kill("SIGCONT");
  let isDone = false;
  return {
    port: instance.port,
    done() {
      if (isDone) return;
      isDone = true;
      instance.running--;
      if (instance.running === 0 && process.platform !== "win32") instance.child.kill("SIGSTOP");
    },
  };
}

async function runMiddleware(
  state: State,
  path: string,
  request: RoutedRequest,
  res: ServerResponse,
): Promise<MiddlewareResult> {
  const unpacked = state.byName.get(path.replace(/^\//, ""));
  if (!unpacked) throw new Error(`The build has no middleware ${path}.`);
  const { port, done } = await wake(state, unpacked);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { method } = request;
      // The middleware doesn't get the request's body.
      const bodyless = Object.entries(request.headers).filter(([name]) => !bodyHeaders.has(name));
      const headers = Object.fromEntries(bodyless);
      openRequest({ port, host: "127.0.0.1", method, path: toTarget(request), headers }, resolve)
        .on("error", reject)
        .end();
    });
    const headers = toPlain(response.headers);
    if (headers["x-middleware-next"] !== "1") {
      res.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(res);
      await once(response, "close");
      return { kind: "answer" };
    }
    response.resume();
    await once(response, "close");
    return { kind: "next", ...applyMiddleware(request.headers, headers) };
  } finally {
    done();
  }
}

async function invoke(
  state: State,
  { name, request, status, headers: added }: Found,
  target: string,
  [req, res]: [IncomingMessage, ServerResponse],
): Promise<void> {
  const { port, done } = await wake(state, state.byName.get(name)!);
  const headers = { ...request.headers, "x-matched-path": `/${name}` };
  await new Promise<void>((resolve) => {
    const end = () => {
      done();
      resolve();
    };
    const upstream = openRequest({ port, host: "127.0.0.1", method: request.method, path: target, headers });
    upstream.on("error", () => {
      if (!res.headersSent) res.writeHead(502);
      res.end();
      end();
    });
    upstream.on("response", (response) => {
      const passed = Object.entries(toPlain(response.headers)).filter(([header]) => !hopHeaders.has(header));
      res.writeHead(status ?? response.statusCode ?? 500, { ...added, ...Object.fromEntries(passed) });
      res.flushHeaders();
      response.pipe(res);
      response.on("close", end);
    });
    res.on("close", () => upstream.destroy());
    req.pipe(upstream);
  });
}

async function answer(state: State, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { output, byName } = state;
  const url = new URL(req.url ?? "/", "http://localhost");
  const asked: RoutedRequest = {
    method: req.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: {
      ...toPlain(req.headers),
      "x-forwarded-host": req.headers.host ?? "localhost",
      "x-forwarded-proto": "http",
      "x-forwarded-for": "192.0.2.1",
      "x-vercel-id": "iad1::check",
    },
  };
  const resolution = await resolveRoute(output.routes, asked, {
    has: (name) => byName.has(name) || output.findFile(name) !== undefined,
    runMiddleware: (path, request) => runMiddleware(state, path, request, res),
  });
  if (resolution.kind === "answered") return;
  if (resolution.kind === "redirect") {
    res.writeHead(resolution.status, resolution.headers).end();
    return;
  }
  if (resolution.kind === "nothing") {
    res.writeHead(404).end();
    return;
  }
  const { name, status, request, headers } = resolution;
  const file = output.findFile(name);
  if (file) {
    const contentType = file.contentType ?? contentTypes[extname(name)] ?? "application/octet-stream";
    res.writeHead(status ?? 200, { "content-type": contentType, ...headers });
    createReadStream(file.file).pipe(res);
    return;
  }
  // The function gets the path that the visitor requested. Parameters that routing added are in the query.
  const target = toTarget({ path: asked.path, query: request.query });
  await invoke(state, resolution, target, [req, res]);
}

const toTarget = ({ path, query }: Pick<RoutedRequest, "path" | "query">) =>
  `${path}${query.size > 0 ? `?${query}` : ""}`;

function toPlain(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/**
 * Applies the headers that Next.js middleware returned. To replace the request's headers, the middleware lists all
 * their names in one header and sends each value in its own header.
 */
function applyMiddleware(request: Record<string, string>, answer: Record<string, string>) {
  const names = answer["x-middleware-override-headers"]?.split(",").map((name) => name.trim());
  const headers = names
    ? Object.fromEntries(names.flatMap((name) => toEntry(name, answer[`x-middleware-request-${name}`])))
    : request;
  const responseHeaders = Object.fromEntries(
    Object.entries(answer).filter(
      ([name]) =>
        !name.startsWith("x-middleware-") && !hopHeaders.has(name) && !["date", "content-length"].includes(name),
    ),
  );
  return { headers, responseHeaders };
}

const toEntry = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];
