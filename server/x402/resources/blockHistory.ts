/**
 * GET /api/paid/block-history: the latest blocks of a network, as many as asked for, by the block. The payer permits the
 * most it can cost and is charged for the blocks that there are.
 */
import { toUnits } from "@/lib/x402/price";
import type { Hex } from "@/lib/x402/types";
import type { HttpHandler, HttpRequest } from "@/server/http/types";
import { toJsonResponse } from "@/server/x402/answer";
import { gasSponsoringDeclaration } from "@/server/x402/gasSponsoring";
import type { Paywall } from "@/server/x402/paywall";
import { toUptoRequirement } from "@/server/x402/requirements";
import { findResourceNetwork, type ResourceNetwork } from "@/server/x402/resources/network";
import { readBlockDigest } from "@/server/x402/resources/readBlockDigest";

const maxPrice = "$0.05";
const pricePerBlock = "$0.0005";
const maxBlocks = 100;

/** Builds the handler. networks[0] is the default; ?network= takes a name or a chain id, ?blocks= 1 to 100. */
export function createBlockHistoryHandler(options: {
  paywall: Paywall;
  networks: readonly [ResourceNetwork, ...ResourceNetwork[]];
  payTo: Hex;
  facilitatorAddress: Hex;
}): HttpHandler {
  const { paywall, networks, payTo, facilitatorAddress } = options;
  return paywall.withPayment(
    {
      methods: ["GET"],
      description: `The latest blocks at ${pricePerBlock} each; ?blocks= says how many, up to ${maxBlocks}.`,
      mimeType: "application/json",
      serviceName: "Tollscan",
      extensions: gasSponsoringDeclaration,
      toOffer(request) {
        const found = findResourceNetwork(networks, request);
        if ("response" in found) return found;
        if (findBlockCount(request) === undefined) {
          return { response: toJsonResponse(400, { error: `blocks must be a whole number from 1 to ${maxBlocks}.` }) };
        }
        const { network } = found;
        return { accepts: [toUptoRequirement({ network, price: maxPrice, payTo, facilitatorAddress })] };
      },
    },
    async (request, payment) => {
      const found = findResourceNetwork(networks, request);
      if ("response" in found) return found.response;
      const { blocks } = await readBlockDigest(found, findBlockCount(request) ?? 1);
      const [token] = found.network.tokens;
      payment.charge(toUnits(pricePerBlock, token.decimals) * BigInt(blocks.length));
      return toJsonResponse(200, { network: found.network.name, blocks }, { "cache-control": "private" });
    },
  );
}

function findBlockCount({ query }: HttpRequest): number | undefined {
  const count = Number(query.get("blocks") ?? 10);
  return Number.isInteger(count) && count >= 1 && count <= maxBlocks ? count : undefined;
}
