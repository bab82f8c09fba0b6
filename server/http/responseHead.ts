/**
 * The head of an answer as text, as node:http writes it.
 */
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";
import type { HttpResponse } from "@/server/http/types";

/** Heads of headers that never change, by status. */
const kept = new WeakMap<HttpResponse["headers"], Map<number, string>>();

/** The status line and the handler's headers; the rest of the head and the empty line are the caller's to add. Throws on a header that HTTP cannot carry. */
export function toResponseHead({ status, headers }: Pick<HttpResponse, "status" | "headers">): string {
  const known = kept.get(headers)?.get(status);
  if (known !== undefined) return known;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    head += `${name}: ${value}\r\n`;
  }
  if (Object.isFrozen(headers)) {
    const heads = kept.get(headers) ?? new Map<number, string>();
    kept.set(headers, heads.set(status, head));
  }
  return head;
}

let dateLine: string | undefined;

/** The Date header of now, its line end included. Made once a second, as node:http does: asking for the time costs too. */
export function toDateLine(): string {
  if (dateLine === undefined) {
    const now = new Date();
    dateLine = `Date: ${now.toUTCString()}\r\n`;
    setTimeout(() => {
      dateLine = undefined;
    }, 1_000 - now.getMilliseconds()).unref();
  }
  return dateLine;
}
