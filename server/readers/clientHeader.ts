/**
 * The header by which a reader proves itself to the main process and says whose request it brings. Invariant: what comes
 * without this start's secret is no reader's.
 */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const clientHeader = "x-tollscan-client";

/** Name and value; address is the client's, undefined where the request is of no connection. */
export function toClientHeader(secret: string, address: string | undefined): [string, string] {
  return [clientHeader, `${secret} ${address ?? ""}`];
}

/** Takes the header off a request; undefined where the secret is another one, or there is none. */
export function takeClient(req: IncomingMessage, secret: string): { address: string | undefined } | undefined {
  const value = req.headers[clientHeader];
  if (typeof value !== "string") return undefined;
  delete req.headers[clientHeader];
  const at = req.rawHeaders.indexOf(clientHeader);
  if (at >= 0) req.rawHeaders.splice(at, 2);
  const [given = "", address = ""] = value.split(" ", 2);
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  if (one.length !== other.length || !timingSafeEqual(one, other)) return undefined;
  return { address: address === "" ? undefined : address };
}
