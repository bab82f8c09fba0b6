/**
 * Next's request handler inside our own server: production pages, or the development server with hot reload.
 */
import type { Server } from "node:http";
import next from "next";
import type { PageHandler } from "@/server/http/listener";

/** Prepares Next; rejects where there is no build to serve. */
export async function createPages(server: Server, port: number, dev: boolean): Promise<PageHandler> {
  const app = next({ dev, dir: process.cwd(), port, httpServer: server });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (req, res) => handle(req, res);
}
