/**
 * Reads the head of a plain request: a POST of HTTP/1.1 on a kept connection, whose body has a length. It knows a part
 * of what node:http knows and says nothing of the rest, so that what it does read means the same to both.
 */
import { splitTarget } from "@/server/http/requestTarget";

export type PlainHead = {
  method: string;
  path: string;
  search: string;
  /** Names in lowercase, each once. */
  headers: Record<string, string | undefined>;
  bodyLength: number;
};

/** Of a target, what no parser disagrees on. */
const requestLine = /^POST (\/[A-Za-z0-9/_.~%?=&:,+-]*) HTTP\/1\.1$/;
/** A name as RFC 9110 5.6.2 has it; a value of visible ASCII with spaces between, and one space before at most. */
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?((?:[!-~](?:[ -~]*[!-~])?)?)$/;
const lengthPattern = /^(?:0|[1-9][0-9]{0,8})$/;
const maxLines = 64;

/**
 * Headers by which a connection becomes something else, or a body is framed or sent in another way; and the
 * name that node:http loses.
 */
const notPlain = new Set([
  "__proto__",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** text: from the first byte to the empty line, without it, in latin1. undefined where only node:http can tell. */
export function readPlainHead(text: string): PlainHead | undefined {
  const lines = text.split("\r\n");
  const target = requestLine.exec(lines[0]!)?.[1];
  if (target === undefined || lines.length > maxLines) return undefined;
  const headers: Record<string, string | undefined> = Object.create(null);
  for (let at = 1; at < lines.length; at++) {
    const line = headerLine.exec(lines[at]!);
    if (!line) return undefined;
    const name = line[1]!.toLowerCase();
    if (name in headers || notPlain.has(name)) return undefined;
    headers[name] = line[2]!;
  }
  const { host, connection } = headers;
  const length = headers["content-length"];
  if (host === undefined || length === undefined || !lengthPattern.test(length)) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return undefined;
  // One object for all requests that begin with these bytes.
  return { method: "POST", ...splitTarget(target), headers: Object.freeze(headers), bodyLength: Number(length) };
}
