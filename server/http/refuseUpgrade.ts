/**
 * Refuses an upgrade with an ordinary HTTP answer, which ends the connection.
 */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** more: lines of the head. */
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
