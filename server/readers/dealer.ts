/**
 * Deals the connections that a server accepts: each goes to another process or stays. Invariant: not a byte of a
 * connection was read before it is dealt.
 */
import type { Server, Socket } from "node:net";

/** deal takes a connection, or answers false to leave it here. The server's own handling must be in place already. */
export function dealConnections(server: Server, deal: (socket: Socket) => boolean): void {
  const own = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  // An option of net.createServer that node:http does not hand on; read at each connection.
  Object.assign(server, { pauseOnConnect: true });
  server.on("connection", (socket) => {
    if (deal(socket)) return;
    for (const serve of own) serve.call(server, socket);
    socket.resume();
  });
}
