/**
 * Treats an upgrade request as an ordinary request, as RFC 9110 7.8 allows. If a server listens for upgrades, node:http
 * hands it every request that offers one, including POSTs from clients that offer HTTP/2 (such as Java's HttpClient and
 * curl --http2). Those clients need a normal response.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

const dropped = new Set(["upgrade", "http2-settings", "connection"]);
const offers = new Set(["upgrade", "http2-settings"]);

/** Removes the upgrade offer from the request's head and lets the server parse the request again. */
export function ignoreUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  const { rawHeaders } = req;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (!dropped.has(rawHeaders[at]!.toLowerCase())) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  const kept = (req.headers.connection ?? "").split(",").filter((token) => !offers.has(token.trim().toLowerCase()));
  if (kept.some((token) => token.trim() !== "")) lines.push(`connection: ${kept.join(",")}`);
  // node:http reads header values as latin1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
