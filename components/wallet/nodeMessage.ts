/** Turns errors from the node, or from requests to the node, into short messages. */
import { RpcError, TransportError } from "@/lib/rpc/client";

/** Applies `find` to an error and then to its causes, and returns the first result. */
export function findInCauses<T>(error: unknown, find: (error: object) => T | undefined): T | undefined {
  for (let current = error, depth = 0; typeof current === "object" && current !== null && depth < 8; depth++) {
    const found = find(current);
    if (found !== undefined) return found;
    current = (current as { cause?: unknown }).cause;
  }
  return undefined;
}

/** If a fetch can't reach a server, it rejects with a TypeError whose message differs between browsers. */
function isUnreachable(error: object): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

const isFaucetLimit = (data: unknown) => (data as { limit?: unknown } | null | undefined)?.limit === "faucet";

export function toSentence(text: string): string {
  const trimmed = text.trim();
  const sentence = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Returns a message if the error came from the node or from the request to it, and undefined otherwise. */
export function findNodeMessage(error: unknown): string | undefined {
  return findInCauses(error, (current) => {
    // The faucet's sentence needs no introduction.
    if (current instanceof RpcError && isFaucetLimit(current.data)) return toSentence(current.message);
    if (current instanceof RpcError) return `The node rejected the request: ${toSentence(current.message)}`;
    if (current instanceof TransportError) return `The node rejected the request: ${current.message}`;
    return isUnreachable(current)
      ? "The node could not be reached. Check that it is running, then try again."
      : undefined;
  });
}
