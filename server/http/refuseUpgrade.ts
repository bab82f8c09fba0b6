/** Refuses an upgrade with an ordinary HTTP response, which closes the connection. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** `more` holds additional header lines. */
export function refuseUpgrade(socket: Duplex, status: number, sentence: string, more: readonly string[] = []): void {
  const body = JSON.stringify({ error: sentence });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    ...more,
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
