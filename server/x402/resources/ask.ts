/**
 * Sends a request to a resource's network. Throws NetworkError if the network fails, so that the payer is not charged.
 */
import { NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { ResourceNetwork } from "@/server/x402/resources/resource";

/** Throws NetworkError. */
export async function ask<T>({ request }: ResourceNetwork, method: string, params: unknown[]): Promise<T> {
  try {
    return (await request({ method, params })) as T;
  } catch (error) {
    throw new NetworkError(`${method} failed.`, { cause: error });
  }
}
