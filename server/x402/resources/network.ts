/** Finds a paid request's network, which is either given in `?network=` or the default. */
import type { HttpRequest } from "@/server/http/types";
import { ResourceError, type ResourceNetwork } from "@/server/x402/resources/resource";

/** Finds the network by name or chain ID; the first network if none is specified. Throws ResourceError. */
export function getResourceNetwork(
  networks: readonly [ResourceNetwork, ...ResourceNetwork[]],
  { query }: HttpRequest,
): ResourceNetwork {
  const wanted = query.get("network");
  if (wanted === null) return networks[0];
  const found = networks.find(({ network }) => network.name === wanted || String(network.chainId) === wanted);
  if (found) return found;
  const names = networks.map(({ network }) => network.name).join(", ");
  throw new ResourceError(404, `Unknown network. Available networks: ${names}.`);
}
