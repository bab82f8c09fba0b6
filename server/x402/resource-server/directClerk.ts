/**
 * Settlement without a facilitator: this process checks payments against the network, sends the settlement from an
 * account of its own and waits until enough blocks stand on it. What is served was confirmed first.
 */
import { pause } from "@/lib/pause";
import type { SettleResponse } from "@/lib/x402/types";
import type { FacilitatorNetwork } from "@/server/x402/facilitator/desk";
import { createFacilitator, type Facilitator } from "@/server/x402/facilitator/facilitator";
import { createReader, type Reader } from "@/server/x402/reads/reader";
import type { Clerk } from "@/server/x402/resource-server/clerk";

export type DirectSettlement = {
  networks: readonly FacilitatorNetwork[];
  /** Blocks that must stand on a settlement, its own counted; one is inclusion. */
  confirmations?: number;
  /** How long confirmations are waited for, and the pause between two looks. */
  confirmMs?: number;
  pollMs?: number;
  onError?: (error: unknown) => void;
};

/** Builds the clerk; toClerk makes one of the engine that it shares with the facilitator. */
export function createDirectClerk(options: DirectSettlement, toClerk: (facilitator: Facilitator) => Clerk): Clerk {
  const { networks, confirmations = 1, confirmMs = 60_000, pollMs = 200, onError = () => undefined } = options;
  const engine = createFacilitator({ networks, relay: { pollMs }, onError });
  // What a crash interrupted is finished; a network that is down at this moment is asked again by the next payment.
  engine.recover().catch(onError);
  const readers = new Map(networks.map(({ caip2, request }) => [caip2, createReader(request)]));
  const clerk = toClerk(engine);

  return {
    ...clerk,
    async settle(payload, requirements) {
      const outcome = await engine.settle(payload, requirements);
      const reader = readers.get(outcome.network);
      if (!outcome.success || outcome.transaction === "" || confirmations <= 1 || !reader) return outcome;
      const deadlineMs = Date.now() + confirmMs;
      return waitForBlocks(reader, outcome, deadlineMs);
    },
  };

  async function waitForBlocks(reader: Reader, outcome: SettleResponse, deadlineMs: number): Promise<SettleResponse> {
    for (;;) {
      if (await isConfirmed(reader, outcome.transaction as `0x${string}`)) return outcome;
      if (Date.now() >= deadlineMs) {
        return {
          ...outcome,
          success: false,
          errorReason: "settlement_pending",
          errorMessage: `The settlement has fewer than ${confirmations} confirmations yet.`,
        };
      }
      await pause(pollMs);
    }
  }

  /** The receipt is read each time, because the block that held the settlement may have been replaced. */
  async function isConfirmed(reader: Reader, transaction: `0x${string}`): Promise<boolean> {
    try {
      const [receipt, head] = await Promise.all([reader.findReceipt(transaction), reader.getBlockNumber()]);
      return receipt !== undefined && head - BigInt(receipt.blockNumber) + 1n >= BigInt(confirmations);
    } catch (error) {
      onError(error);
      return false;
    }
  }
}
