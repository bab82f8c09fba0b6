/** A node that holds a chain which this one does not: how it is asked, and the newest block that it reported. */
import { findErrorCode } from "@/server/ethereum/errors";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Heads } from "@/server/remote/heads";

export type RemoteNode = {
  /** Sends a request straight to the node. */
  request: Eip1193Request;
  heads: Heads;
  genesisHash: `0x${string}`;
};

/** Asks the node; T is the standard result type. Rejects with the node's error or with UpstreamError. */
export async function ask<T>(
  { request }: Pick<RemoteNode, "request">,
  method: string,
  ...params: unknown[]
): Promise<T> {
  return (await request({ method, params })) as T;
}

/**
 * undefined if the node returns an error, for instance for an unsupported method. No response at all is still an error.
 */
export async function askIfSupported<T>(
  node: Pick<RemoteNode, "request">,
  method: string,
  ...params: unknown[]
): Promise<T | undefined> {
  try {
    return await ask<T>(node, method, ...params);
  } catch (error) {
    // JSON-RPC codes are numbers; other failures carry words.
    if (typeof findErrorCode(error) === "number") return undefined;
    throw error;
  }
}
