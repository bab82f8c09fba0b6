/**
 * GET /api/health: that the node answers, and how far each chain is. For supervisors and start scripts.
 */
import type { Network } from "@/lib/networks";
import type { Header } from "@/server/chain/types";
import { findReadOnlyAnswer, toJsonAnswer } from "@/server/http/answers";
import type { HttpHandler } from "@/server/http/types";

/** listHeads answers the newest header of each network, without waiting. */
export function createHealthHandler(
  listHeads: () => { network: Network; head: Pick<Header, "number" | "hash" | "timestamp"> }[],
): HttpHandler {
  return async ({ method }) =>
    findReadOnlyAnswer(method) ??
    toJsonAnswer(200, {
      status: "ok",
      networks: listHeads().map(({ network, head }) => ({
        name: network.name,
        chainId: network.chainId,
        head: { number: head.number, hash: head.hash, timestamp: head.timestamp },
      })),
    });
}
