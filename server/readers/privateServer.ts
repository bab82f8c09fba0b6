/**
 * The main process's door for its readers: a local socket in a folder that nobody else may enter. Requests that come
 * through it are given to the public server as if their clients had connected to it. Invariant: without the secret
 * nothing is answered, and the client's address is the one that the reader saw.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { takeClient } from "@/server/readers/clientHeader";

/** The public server's and room for the header of ours; the reader has counted already. */
const headerBytes = 40 * 1024;

/** port: the public one. Rejects with Node's error where the path cannot be listened at. */
export async function createPrivateServer(options: {
  path: string;
  secret: string;
  publicServer: Server;
  port: number;
}): Promise<{ close(): Promise<void> }> {
  const { path, secret, publicServer, port } = options;

  /** Gives the request its client; false where it is no reader's. */
  function adopt(req: IncomingMessage): boolean {
    const client = takeClient(req, secret);
    if (!client) return false;
    // The kept connection carries requests of one client after another.
    Object.defineProperties(req.socket, {
      remoteAddress: { value: client.address, configurable: true },
      localPort: { value: port, configurable: true },
    });
    return true;
  }

  // What limits the time of a request and of a connection limits the client's, at the reader.
  const limits = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0, maxHeaderSize: headerBytes };
  const server = createServer({ ...limits, requireHostHeader: false }, (req, res) => {
    if (adopt(req)) publicServer.emit("request", req, res);
    else req.socket.destroy();
  });
  server.on("upgrade", (req, socket, head) => {
    if (adopt(req)) publicServer.emit("upgrade", req, socket, head);
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
