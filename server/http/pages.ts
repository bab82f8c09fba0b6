/**
 * Next's request handler inside our own server: production pages, or the development server with hot reload.
 */
import { type IncomingMessage, Server } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import next from "next";
import type { PageHandler } from "@/server/http/listener";
import { createStaticFiles } from "@/server/http/staticFiles";

export type Pages = {
  answer: PageHandler;
  /** Takes a WebSocket of hot reload; false where there is none. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean;
};

/** Prepares Next; rejects where there is no build to serve. */
export async function createPages(port: number, dev: boolean): Promise<Pages> {
  // Next listens for upgrades on the server it is given and ends those of any path that is a route of its own, which
  // JSON-RPC over WebSocket is. It gets a server that never listens, and from us the upgrades that are left to it.
  const relay = new Server();
  const app = next({ dev, dir: process.cwd(), port, httpServer: relay });
  await app.prepare();
  const handle = app.getRequestHandler();
  // Files of a development build change under their names.
  const answerStatic = dev ? undefined : createStaticFiles(join(process.cwd(), ".next", "static"));
  return {
    answer: async (req, res) => {
      if (!answerStatic?.(req, res)) await handle(req, res);
    },
    upgrade: (req, socket, head) => dev && relay.emit("upgrade", req, socket, head),
  };
}
