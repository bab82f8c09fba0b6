/** Parses a request's path and query, and finds the origin that the client used. */

const hostPattern = /^[a-zA-Z0-9.:[\]_-]{1,255}$/;

/**
 * The origin that the caller used, even if a proxy terminates TLS. The caller can forge it, so only use it in responses
 * to that caller.
 */
export function toOrigin(headers: Record<string, string | undefined>, fallbackHost: string, secure: boolean): string {
  const forwarded = headers["x-forwarded-host"]?.split(",")[0]?.trim();
  const host = [forwarded, headers.host].find((name) => name !== undefined && hostPattern.test(name)) ?? fallbackHost;
  const protocol = headers["x-forwarded-proto"]?.split(",")[0]?.trim() ?? (secure ? "https" : "http");
  return `${protocol === "https" ? "https" : "http"}://${host}`;
}

/** Why a path is invalid; undefined if it is valid. */
export function findPathFault(path: string): string | undefined {
  if (!path.startsWith("/")) return "The URL must start with /.";
  if (!path.includes("%")) return undefined;
  try {
    decodeURIComponent(path);
    return undefined;
  } catch {
    return "The URL contains a % that is not followed by two hexadecimal digits of UTF-8 text; write %25 for a percent sign.";
  }
}

/**
 * Splits a request target into path and query. If the target is an absolute URL, which clients send to proxies, drops
 * the origin.
 */
export function splitTarget(target: string): { path: string; search: string } {
  const local = target.startsWith("/") ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  const at = local.indexOf("?");
  return at < 0 ? { path: local || "/", search: "" } : { path: local.slice(0, at), search: local.slice(at + 1) };
}
