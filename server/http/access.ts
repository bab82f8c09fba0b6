/**
 * Decides which requests the node accepts. The Host header must be known, which prevents DNS rebinding. The Origin
 * header and the peer's address decide who may change the chain without a signature; forwarding headers can only remove
 * permissions.
 */
import type { AccessRules } from "@/server/config/accessRules";

type Headers = Record<string, string | string[] | undefined>;

export type Access = {
  /** Why a request with this Host header is refused; undefined if it is allowed. */
  findHostRefusal(host: string | undefined): string | undefined;
  /** Whether a request may change the chain without a signature. */
  mayControl(headers: Headers, remoteAddress: string | undefined): boolean;
  /** Whether a request comes from a program on this machine, or from a page that this machine serves. */
  isLocal(headers: Headers, remoteAddress: string | undefined): boolean;
};

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;
const ipPattern = /^(\[.*\]|\d{1,3}(\.\d{1,3}){3})$/;
const loopbackHost = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const loopbackAddress = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
/**
 * A request with one of these headers came through a proxy, so its peer address isn't the caller's, even if it is
 * loopback.
 */
const forwardingHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** The host name in a Host header, in lowercase and without the port. Undefined if the header is invalid. */
function findHostName(host: string): string | undefined {
  return hostPattern.exec(host.toLowerCase())?.[1]?.replace(/\.$/, "");
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && loopbackHost.test(hostname);
}

export function createAccess({ hosts, origins, anyAddress }: AccessRules): Access {
  const isKnownHost = (name: string) =>
    loopbackHost.test(name) || hosts.includes(name) || hosts.includes("*") || (anyAddress && ipPattern.test(name));

  /** Caches the last allowed Host header, because almost all requests send the same one. */
  let lastAllowed: string | undefined;

  function isLocal(headers: Headers, remoteAddress: string | undefined): boolean {
    const { origin } = headers;
    const name = typeof headers.host === "string" ? findHostName(headers.host) : undefined;
    return (
      (origin === undefined || (typeof origin === "string" && isLoopbackOrigin(origin))) &&
      loopbackAddress.test(remoteAddress ?? "") &&
      loopbackHost.test(name ?? "") &&
      forwardingHeaders.every((header) => headers[header] === undefined)
    );
  }

  return {
    findHostRefusal(host) {
      // Only HTTP/1.0 clients omit the header; browsers always send it.
      if (host === undefined || host === lastAllowed) return undefined;
      const name = findHostName(host);
      if (name !== undefined && isKnownHost(name)) {
        lastAllowed = host;
        return undefined;
      }
      if (name === undefined) return "The Host header is invalid.";
      return `Host not allowed: ${name.slice(0, 100)}; add it to TOLLSCAN_ALLOWED_HOSTS to allow it.`;
    },
    mayControl(headers, remoteAddress) {
      const { origin } = headers;
      if (origins.includes("*") || (typeof origin === "string" && origins.includes(origin))) return true;
      return isLocal(headers, remoteAddress);
    },
    isLocal,
  };
}

/** Allows only requests from this machine itself. */
export const loopbackRules: AccessRules = { hosts: [], origins: [], anyAddress: false };
