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

let dateLine = "";
let dateSecond = 0;

/** The Date header of now, its line end included. */
export function toDateLine(nowMs: number = Date.now()): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateLine = `Date: ${new Date(second * 1000).toUTCString()}\r\n`;
  }
  return dateLine;
}
