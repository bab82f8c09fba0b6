/** All facilitator routes in one table: POST endpoints, GET endpoints and the CSV ledger. */

import { type CsvNetwork, createPaymentsCsvHandler } from "@/server/api/facilitator/paymentsCsv";
import { createFacilitatorHandlers } from "@/server/api/facilitator/postHandlers";
import { createReadHandlers, settlementsPath } from "@/server/api/facilitator/readHandlers";
import type { RateLimit } from "@/server/http/rateLimit";
import type { HttpHandler } from "@/server/http/types";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";

/** `rateLimit` limits each client's requests to the facilitator. */
export function createFacilitatorRoutes(options: {
  facilitator: Facilitator;
  networks: readonly CsvNetwork[];
  bodyBytes: number;
  rateLimit: RateLimit;
}): Record<string, HttpHandler> {
  const { facilitator, networks, bodyBytes, rateLimit } = options;
  const { supported, verify, settle, refund } = createFacilitatorHandlers({ facilitator, bodyBytes, rateLimit });
  const { settlements, discoveryResources, discoverySearch } = createReadHandlers(facilitator, rateLimit);
  return {
    "/api/facilitator/supported": supported,
    "/api/facilitator/verify": verify,
    "/api/facilitator/settle": settle,
    "/api/facilitator/refund": refund,
    [`${settlementsPath}/*`]: settlements,
    "/api/facilitator/discovery/resources": discoveryResources,
    "/api/facilitator/discovery/search": discoverySearch,
    "/api/payments.csv": createPaymentsCsvHandler(networks),
  };
}
