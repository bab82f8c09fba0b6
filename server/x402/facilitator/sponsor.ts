/**
 * Gets payers' signed approvals of Permit2 into a block: funds the payer with the gas that the approval may cost, then
 * sends it. Every step checks the chain first, so an interrupted attempt is resumed, not repeated. Invariant: one
 * approval per payer at a time, so that its gas is never funded twice.
 */
import type { Hex } from "@/lib/x402/types";
import { pause } from "@/server/x402/facilitator/closing";
import type { GasShare } from "@/server/x402/facilitator/ledger";
import { type Relayer, sendAgain, sendCall, type TransactionResult } from "@/server/x402/facilitator/relayer";
import { PaymentError } from "@/server/x402/reads/error";
import type { Reader } from "@/server/x402/reads/reader";
import type { Approval } from "@/server/x402/schemes/scheme";
import { findAllowance } from "@/server/x402/schemes/sponsoredApproval";

export type Sponsor = {
  /**
   * Resolves with the gas spent once Permit2 may move what the payment needs. Throws PaymentError if the approval
   * failed or did not get into a block, NetworkError.
   */
  approve(approval: Approval, relayer: Relayer): Promise<GasShare | undefined>;
};

export type SponsorOptions = {
  reader: Reader;
  /** How long to wait for the payer's funding to arrive, and the pause between two checks. */
  waitMs: number;
  pollMs: number;
  /** Ends all waiting. */
  signal: AbortSignal;
  /** Runs work that other instances must not run for the same payer at the same time. */
  alone?: <T>(payer: Hex, work: () => Promise<T>) => Promise<T>;
};

/** One confirmation is enough: if the block is replaced, the settlement simply fails. */
const inclusion = 1;
/** A transfer to an account with code (EIP-7702) may use slightly more than 21,000. */
const maxFundingGas = 100_000n;

/** Builds the sponsor of one network. */
export function createSponsor(options: SponsorOptions): Sponsor {
  const { reader, waitMs, pollMs, signal, alone = (_payer, work) => work() } = options;
  const turns = new Map<Hex, Promise<unknown>>();

  async function fund({ payer, gas, maxFeeWei }: Approval, relayer: Relayer): Promise<GasShare | undefined> {
    const neededWei = gas * maxFeeWei;
    const comingWei = await reader.getBalance(payer, "pending");
    if (comingWei >= neededWei) {
      await waitForBalance(payer, neededWei);
      return undefined;
    }
    const valueWei = neededWei - comingWei;
    const estimate = await reader.estimateGas({ from: relayer.address, to: payer, data: "0x" });
    if (!estimate.ok || estimate.gas > maxFundingGas) {
      throw new PaymentError("erc20_approval_broadcast_failed", "The payer's account does not take native coins.");
    }
    const call = { to: payer, data: "0x", value: valueWei, gas: (estimate.gas * 12n) / 10n } as const;
    const { result } = await sendCall(relayer, call, async () => undefined, inclusion);
    if (result.kind === "refused") {
      throw new PaymentError("erc20_approval_broadcast_failed", "The network refused the gas money for the approval.");
    }
    await waitForBalance(payer, neededWei);
    return toSpent(result, valueWei);
  }

  /** A node's pool accepts a transaction only if the account can already pay for it. */
  async function waitForBalance(payer: Hex, neededWei: bigint): Promise<void> {
    const deadlineMs = Date.now() + waitMs;
    while ((await reader.getBalance(payer, "latest")) < neededWei) {
      if (Date.now() >= deadlineMs) throw new PaymentError("erc20_approval_broadcast_failed");
      await pause(pollMs, signal);
    }
  }

  async function approve(approval: Approval, relayer: Relayer): Promise<GasShare | undefined> {
    const isEnough = async () => ((await findAllowance(reader, approval)) ?? 0n) >= approval.neededUnits;
    // Another payment may have had its approval included first.
    if (await isEnough()) return undefined;
    const spent = await fund(approval, relayer);
    const result = await sendAgain(relayer, approval.transaction, inclusion);
    // Checked whatever the result: another approval with the same nonce may have been included instead.
    if (await isEnough()) return spent;
    throw new PaymentError(result.kind === "mined" ? "erc20_approval_tx_failed" : "erc20_approval_broadcast_failed");
  }

  return {
    approve(approval, relayer) {
      const { payer } = approval;
      const turn = (turns.get(payer) ?? Promise.resolve()).then(() => alone(payer, () => approve(approval, relayer)));
      const ended = turn
        .catch(() => undefined)
        .finally(() => {
          if (turns.get(payer) === ended) turns.delete(payer);
        });
      turns.set(payer, ended);
      return turn;
    },
  };
}

function toSpent(result: TransactionResult, valueWei: bigint): GasShare {
  const { gasUsed, effectiveGasPrice } = result.kind === "mined" ? result.receipt : {};
  const used = BigInt(gasUsed ?? 0);
  return { used, costWei: valueWei + used * BigInt(effectiveGasPrice ?? 0) };
}
