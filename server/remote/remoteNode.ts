/** A remote node: its request function, and the latest block it reported. */
import { findErrorCode } from "@/server/ethereum/errors";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Heads } from "@/server/remote/heads";

export type RemoteNode = {
  /** Sends a request directly to the node. */
  request: Eip1193Request;
  heads: Heads;
  genesisHash: `0x${string}`;
};

/** Sends a request; T is the type of the standard result. Rejects with the node's error or with UpstreamError. */
export async function ask<T>(
  { request }: Pick<RemoteNode, "request">,
  method: string,
  ...params: unknown[]
): Promise<T> {
  return (await request({ method, params })) as T;
}

/**
 * Returns undefined if the node returns an error, for example because it doesn't support the method. Rejects if the
 * node doesn't respond.
 */
export async function askIfSupported<T>(
  node: Pick<RemoteNode, "request">,
  method: string,
  ...params: unknown[]
): Promise<T | undefined> {
  try {
    return await ask<T>(node, method, ...params);
  } catch (error) {
    // JSON-RPC codes are numbers; other errors have string codes.
    if (typeof findErrorCode(error) === "number") return undefined;
    throw error;
  }
}
