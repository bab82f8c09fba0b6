/**
 * Makes a server listen on one address. The default is the loopback addresses of both IP versions, on the same port.
 */
import type { Server } from "node:http";
import { type AddressInfo, createServer, type Server as NetServer } from "node:net";

const portTries = 20;

function listen(server: NetServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

const toCode = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";
/** Whether the error means that the machine has no IPv6, or none on loopback. */
const isMissing = (code: string) => code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";

/** Starts listening. Returns the port and a function that stops the server. Rejects with Node's error. */
export async function listenOn(
  server: Server,
  port: number,
  host: string | undefined,
): Promise<{ port: number; close(onEnd: () => void): void }> {
  if (host !== undefined) {
    return { port: await listen(server, port, host), close: (onEnd) => void server.close(onEnd) };
  }
  for (let left = portTries; ; left--) {
    const found = await listen(server, port, "127.0.0.1");
    // A node:http server can listen only once, so a second server listens here and passes its connections on to the
    // first.
    const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket));
    try {
      await listen(second, found, "::1");
      const end = (one: NetServer) => new Promise((resolve) => one.close(resolve));
      return { port: found, close: (onEnd) => void Promise.all([server, second].map(end)).then(onEnd) };
    } catch (error) {
      const code = toCode(error);
      if (isMissing(code)) return { port: found, close: (onEnd) => void server.close(onEnd) };
      await new Promise((resolve) => server.close(resolve));
      if (port !== 0 || code !== "EADDRINUSE" || left === 0) throw error;
    }
  }
}
