/**
 * How a resource server gets its payments checked and settled: by a facilitator over HTTP, by one in this process, or
 * by itself. The paywall sees one clerk, whose answers keep three outcomes apart: refused, settled and not known yet.
 */

import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import type { Clerk } from "@/server/x402/resource-server/clerk";
import { createDirectClerk, type DirectSettlement } from "@/server/x402/resource-server/directClerk";
import {
  createFacilitatorClient,
  type FacilitatorSettlement,
  findUptoAddress,
} from "@/server/x402/resource-server/facilitatorClient";

export type Settlement =
  | ({ kind: "facilitator" } & FacilitatorSettlement)
  | { kind: "inProcess"; facilitator: Facilitator }
  | ({ kind: "direct" } & DirectSettlement);

/** Builds the clerk of a paywall. */
export function createClerk(settlement: Settlement): Clerk {
  switch (settlement.kind) {
    case "facilitator":
      return createFacilitatorClient(settlement);
    case "inProcess":
      return toClerk(settlement.facilitator);
    case "direct":
      return createDirectClerk(settlement, toClerk);
  }
}

function toClerk(facilitator: Facilitator): Clerk {
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    release: (payload, requirements) => facilitator.release(payload, requirements),
    async findUptoAddress(network) {
      return findUptoAddress(facilitator.getSupported().kinds, network);
    },
  };
}
