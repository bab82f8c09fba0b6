/**
 * Decides which URLs from untrusted users the server may request. Returns the checked addresses for the connection to
 * use, because a second lookup of the name might return a different address.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { hasErrorCode } from "@/lib/hasErrorCode";
import { findSpecialAddress, isLoopbackAddress } from "@/server/http/publicAddress";

export type GuardedFetchReason =
  | "invalid_url"
  | "invalid_request"
  | "refused_address"
  | "refused_port"
  | "unknown_host"
  | "refused_redirect"
  | "unreachable"
  | "timeout"
  | "too_large"
  | "not_http"
  | "busy"
  | "aborted";

/** The error for a URL that was not fetched. Its message is for people, and `reason` is for programs. */
export class GuardedFetchError extends Error {
  override name = "GuardedFetchError";
  readonly code = "URL_NOT_FETCHED";
  readonly reason: GuardedFetchReason;

  constructor(reason: GuardedFetchReason, sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}

export function isGuardedFetchError(error: unknown): error is GuardedFetchError {
  return hasErrorCode(error, "URL_NOT_FETCHED");
}

export type CheckedAddress = { address: string; family: 4 | 6 };

/** Resolves host names. The default is the system's resolver. */
export type Resolve = (hostname: string) => Promise<CheckedAddress[]>;

export type UrlRules = {
  /** Also allows requests to the machine itself, for development. */
  allowLoopback: boolean;
  /** Whether a refusal says that localhost is allowed too. Defaults to `allowLoopback`. */
  offersLoopback?: boolean;
  resolve: Resolve;
};

const maxUrlLength = 2_048;

/**
 * Blocked ports from 1024 up: those that browsers block because a service might misread HTTP as its own protocol, and
 * the usual ports of databases, container engines and cluster control planes. Below 1024, only the two HTTP ports are
 * allowed.
 */
const refusedPorts = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3659, 4045, 5060, 5061, 5432, 6000, 6379, 6443, 6566, 6665,
  6666, 6667, 6668, 6669, 6697, 9042, 9200, 9300, 10080, 10250, 11211, 27017,
]);

/** Whether the URL itself names this machine: localhost, or a loopback address. */
export function isLoopbackUrl(url: URL): boolean {
  const name = toHostname(url);
  return /(^|\.)localhost$/.test(name) || (isIP(name) !== 0 && isLoopbackAddress(name));
}

/** Parses a URL. Throws GuardedFetchError if the URL itself is not allowed. */
export function toGuardedUrl(text: string): URL {
  const refuse = (sentence: string) => new GuardedFetchError("invalid_url", sentence);
  if (text.length > maxUrlLength) throw refuse(`The URL is longer than ${maxUrlLength} characters.`);
  if (!URL.canParse(text)) throw refuse("Invalid URL; it must start with https:// or http://.");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refuse(`Only http and https URLs are allowed, not ${url.protocol.slice(0, -1)}.`);
  }
  if (url.username || url.password) throw refuse("The URL contains a user name or password; remove it.");
  const port = toPort(url);
  if ((port < 1024 && port !== 80 && port !== 443) || refusedPorts.has(port)) {
    throw new GuardedFetchError("refused_port", `Port ${port} is not allowed, because other services use it.`);
  }
  url.hash = "";
  return url;
}

export function toPort(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** The host name or address in the form that the system expects: an IPv6 address has no brackets. */
export function toHostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * The addresses of the URL's host. Throws GuardedFetchError if the name is unknown or if any of its addresses is not
 * allowed.
 */
export async function resolveChecked(
  url: URL,
  { allowLoopback, offersLoopback = allowLoopback, resolve }: UrlRules,
): Promise<CheckedAddress[]> {
  const hostname = toHostname(url);
  const version = isIP(hostname);
  const addresses: CheckedAddress[] =
    version === 0 ? await resolveName(hostname, resolve) : [{ address: hostname, family: version === 6 ? 6 : 4 }];
  const own = listOwnAddresses();
  for (const { address } of addresses) {
    if (allowLoopback && isLoopbackAddress(address)) continue;
    const what = findSpecialAddress(address) ?? (own.has(address) ? "an address of this server" : undefined);
    if (what === undefined) continue;
    // For a host name, the message omits the address and its kind, because they would reveal the server's network to a
    // stranger.
    const why = version === 0 ? `${hostname} resolves to an address that is not public` : `${hostname} is ${what}`;
    const allowed = offersLoopback ? "public addresses and localhost" : "public addresses";
    throw new GuardedFetchError("refused_address", `${why}; only ${allowed} are allowed.`);
  }
  return addresses;
}

async function resolveName(hostname: string, resolve: Resolve): Promise<CheckedAddress[]> {
  const unknown = new GuardedFetchError("unknown_host", `The host ${hostname} could not be resolved.`);
  const addresses = await resolve(hostname).catch(() => {
    throw unknown;
  });
  if (addresses.length === 0) throw unknown;
  return addresses;
}

/**
 * The server's own addresses. They are blocked because a request from the server to its own public address can reach
 * services that the firewall hides from everyone else.
 */
function listOwnAddresses(): Set<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address)),
  );
}
