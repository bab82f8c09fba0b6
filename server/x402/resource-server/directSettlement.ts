/**
 * Settles without a facilitator service: this process verifies payments, settles them from its own account and waits
 * for confirmations. Content is served only after its settlement is confirmed.
 */
import { pause } from "@/lib/pause";
import type { SettleResponse } from "@/lib/x402/types";
import { createFacilitator } from "@/server/x402/facilitator/facilitator";
import type { FacilitatorNetwork } from "@/server/x402/facilitator/networkFacilitator";
import { createReader, type Reader } from "@/server/x402/reads/reader";
import type { FacilitatorClient } from "@/server/x402/resource-server/facilitatorClient";

type DirectSettlementOptions = {
  networks: readonly FacilitatorNetwork[];
  /** How many blocks confirm a settlement, including its own block. */
  confirmations?: number;
  /** How long to wait for confirmations, and how often to check. */
  confirmMs?: number;
  pollMs?: number;
  onError?: (error: unknown) => void;
};

/** Creates a client that has its own facilitator. */
export function createDirectSettlement(options: DirectSettlementOptions): FacilitatorClient {
  const { networks, confirmations = 1, confirmMs = 60_000, pollMs = 200, onError = () => undefined } = options;
  const facilitator = createFacilitator({ networks, relay: { pollMs }, onError });
  // If recovery fails, for example because a network is down, an interrupted settlement is resumed when its payment is
  // sent again.
  facilitator.recover().catch(onError);
  const readers = new Map(networks.map(({ caip2, request }) => [caip2, createReader(request)]));

  return {
    ...facilitator,
    async settle(payload, requirements, caller) {
      const outcome = await facilitator.settle(payload, requirements, caller);
      const reader = readers.get(outcome.network);
      if (!outcome.success || outcome.transaction === "" || confirmations <= 1 || !reader) return outcome;
      return waitForBlocks(reader, outcome, { confirmations, confirmMs, pollMs, onError });
    },
  };
}

type Wait = Required<Omit<DirectSettlementOptions, "networks">>;

async function waitForBlocks(reader: Reader, outcome: SettleResponse, wait: Wait): Promise<SettleResponse> {
  const { confirmations, confirmMs, pollMs } = wait;
  const deadlineMs = Date.now() + confirmMs;
  for (;;) {
    if (await isConfirmed(reader, outcome.transaction as `0x${string}`, wait)) return outcome;
    if (Date.now() >= deadlineMs) {
      return {
        ...outcome,
        success: false,
        errorReason: "settlement_pending",
        errorMessage: `The settlement has fewer than ${confirmations} confirmations after ${confirmMs} ms.`,
      };
    }
    await pause(pollMs);
  }
}

/** Reads the receipt every time, because the settlement's block may have been replaced. */
async function isConfirmed(reader: Reader, transaction: `0x${string}`, wait: Wait): Promise<boolean> {
  try {
    const [receipt, head] = await Promise.all([reader.findReceipt(transaction), reader.getBlockNumber()]);
    return receipt !== undefined && head - BigInt(receipt.blockNumber) + 1n >= BigInt(wait.confirmations);
  } catch (error) {
    wait.onError(error);
    return false;
  }
}
