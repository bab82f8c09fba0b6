/**
 * Runs Next's request handler inside this server. It serves the production pages, or runs the development server with
 * hot reload. Next is loaded on the first page request, because it takes as much memory as the node.
 */
import { existsSync, readFileSync } from "node:fs";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type { PageHandler } from "@/server/http/listener";
import { splitTarget } from "@/server/http/requestTarget";
import { createStaticFiles } from "@/server/http/staticFiles";

export type Pages = {
  answer: PageHandler;
  /** Accepts a hot reload WebSocket. Returns false if hot reload isn't available. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Resolves when pages can be served. In development, this waits until the development server is loaded. */
  ready: Promise<unknown>;
};

type Next = { handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>; relay: Server };

/**
 * The app's folder. It is two levels up from this file, and also two levels up from this file's bundle in
 * .next/server-code.
 */
const appFolder = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(appFolder, ".next");

/**
 * Serves the app's pages, regardless of the current working directory. Throws if the build is missing. `homePath` is the
 * start page that "/" shows. A redirect, which app/page.tsx sends on other servers, would cost visitors a round trip.
 */
export function createPages(port: number, dev: boolean, homePath: string): Pages {
  if (!dev && !existsSync(join(folder, "BUILD_ID")))
    throw new Error(`${folder} contains no build of the pages; run npm start.`);
  let loading: Promise<Next> | undefined;
  let loaded: Next | undefined;

  function load(): Promise<Next> {
    loading ??= loadNext(port, dev).then(
      (next) => {
        loaded = next;
        return next;
      },
      (error) => {
        // Lets the next request try to load Next again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  // Not used in development, because a file's content can change under the same name there.
  const answerStatic = dev ? undefined : createStaticFiles(join(folder, "static"));
  return {
    answer: async (req, res) => {
      if (answerStatic?.(req, res)) return;
      const { path, search } = splitTarget(req.url ?? "/");
      if (path === "/") req.url = search === "" ? homePath : `${homePath}?${search}`;
      await (loaded ?? (await load())).handle(req, res);
    },
    upgrade: (req, socket, head) => dev && (loaded?.relay.emit("upgrade", req, socket, head) ?? false),
    ready: dev ? load() : Promise.resolve(),
  };
}

async function loadNext(port: number, dev: boolean): Promise<Next> {
  if (!dev) setBuiltConfig();
  const { default: next } = await import("next");
  // Next listens for upgrades on its server and would close WebSocket connections to the node's own endpoints, such as
  // JSON-RPC. So Next gets a server that never listens, and only the upgrades for pages are passed to it.
  const relay = new Server();
  const app = next({ dev, dir: appFolder, port, httpServer: relay });
  await app.prepare();
  return { handle: app.getRequestHandler(), relay };
}

/**
 * Makes Next use the configuration that the build recorded. It would otherwise look for next.config.ts, which the npm
 * package doesn't contain.
 */
function setBuiltConfig(): void {
  const { config } = JSON.parse(readFileSync(join(folder, "required-server-files.json"), "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
