/** Serves HttpHandlers with node:http on a free port, for clients that are not part of this project. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpHandler } from "@/server/http/types";

export type TestServer = { origin: string; close(): Promise<void> };

/** Starts a server for the handlers, keyed by path. */
export async function startHttpServer(handlers: Record<string, HttpHandler>): Promise<TestServer> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const origin = `http://${incoming.headers.host}`;
    const url = new URL(incoming.url ?? "/", origin);
    const handler = handlers[url.pathname];
    if (!handler) {
      outgoing.writeHead(404).end();
      return;
    }
    const request = {
      method: incoming.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers as Record<string, string | undefined>,
      body: Buffer.concat(chunks),
      origin,
    };
    const response = await Promise.resolve(handler(request)).catch((error) => ({
      status: 599,
      headers: {},
      body: String(error),
    }));
    outgoing.writeHead(response.status, response.headers).end(response.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
