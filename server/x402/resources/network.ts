/**
 * Which network a paid request is about: the one that ?network= names, or the default.
 */
import type { PayableNetwork } from "@/lib/networks";
import type { HttpRequest, HttpResponse } from "@/server/http/types";
import { toJsonResponse } from "@/server/x402/answer";
import type { Eip1193Request } from "@/server/x402/jsonRpcError";

export type ResourceNetwork = { network: PayableNetwork; request: Eip1193Request };

/** The network by name or chain id, the first where none is named; a 404 answer where it is unknown. */
export function findResourceNetwork(
  networks: readonly [ResourceNetwork, ...ResourceNetwork[]],
  { query }: HttpRequest,
): ResourceNetwork | { response: HttpResponse } {
  const wanted = query.get("network");
  if (wanted === null) return networks[0];
  const found = networks.find(({ network }) => network.name === wanted || String(network.chainId) === wanted);
  if (found) return found;
  const names = networks.map(({ network }) => network.name).join(", ");
  return { response: toJsonResponse(404, { error: `There is no such network here; there are ${names}.` }) };
}
