/** Finds a network of a Tollscan by name. */
import type { TollscanConnection } from "@/server/library/types";
import type { StartNetwork } from "@/server/node/startBanner";

/** By default, the first network. Throws TypeError if no network has the name. */
export function getNetwork({ networks }: TollscanConnection, name = networks[0]?.name): StartNetwork {
  const network = networks.find((candidate) => candidate.name === name);
  if (network) return network;
  throw new TypeError(`Unknown network ${name}; the networks are ${networks.map((one) => one.name).join(", ")}.`);
}
