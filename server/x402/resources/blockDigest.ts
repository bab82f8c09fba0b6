/**
 * GET /api/paid/block-digest: what happened in the latest blocks of a network, for a cent.
 */
import type { Hex } from "@/lib/x402/types";
import type { HttpHandler } from "@/server/http/types";
import { toJsonResponse } from "@/server/x402/answer";
import type { Paywall } from "@/server/x402/paywall";
import { toExactRequirement } from "@/server/x402/requirements";
import { findResourceNetwork, type ResourceNetwork } from "@/server/x402/resources/network";
import { readBlockDigest } from "@/server/x402/resources/readBlockDigest";

const price = "$0.01";
const blockCount = 10;

/** Builds the handler. networks[0] is the default; ?network= takes a name or a chain id. */
export function createBlockDigestHandler(options: {
  paywall: Paywall;
  networks: readonly [ResourceNetwork, ...ResourceNetwork[]];
  payTo: Hex;
}): HttpHandler {
  const { paywall, networks, payTo } = options;
  return paywall.withPayment(
    {
      methods: ["GET"],
      description: `Transactions, gas, base fee and busiest recipients of the latest ${blockCount} blocks.`,
      mimeType: "application/json",
      serviceName: "Tollscan",
      toOffer(request) {
        const found = findResourceNetwork(networks, request);
        return "response" in found
          ? found
          : { accepts: [toExactRequirement({ network: found.network, price, payTo })] };
      },
    },
    async (request) => {
      const found = findResourceNetwork(networks, request);
      if ("response" in found) return found.response;
      return toJsonResponse(200, await readBlockDigest(found, blockCount), { "cache-control": "private" });
    },
  );
}
