/**
 * Submits payers' signed Permit2 approvals: sends the payer the money for the approval's gas, then sends the approval
 * and waits for it. Every step checks the chain first, so an interrupted attempt can be resumed. Each payer has at most
 * one approval in progress, so the gas for an approval is never funded twice.
 */
import type { Hex } from "@/lib/x402/types";
import type { ChangeStore, LeaseStore } from "@/server/ports/store";
import { runAlone } from "@/server/storage/runAlone";
import { pause } from "@/server/x402/facilitator/closing";
import type { GasShare } from "@/server/x402/facilitator/ledger";
import { type Relayer, sendAgain, sendCall, type TransactionResult } from "@/server/x402/facilitator/relayer";
import { PaymentError } from "@/server/x402/reads/error";
import type { Approval } from "@/server/x402/schemes/scheme";
import { findAllowance } from "@/server/x402/schemes/sponsoredApproval";

export type Sponsor = {
  /** The approval in progress for each payer. The payer's next approval waits for it. */
  turns: Map<Hex, Promise<unknown>>;
  /** Set if other instances may send approvals for the same payer. */
  store: (ChangeStore & LeaseStore) | undefined;
};

/** How long to wait while another instance handles an approval for the same payer. */
const otherInstanceMs = 60_000;
/**
 * How many confirmations an approval needs. One is enough, because if the block is replaced, the worst outcome is that
 * the settlement fails.
 */
const inclusion = 1;
/**
 * Maximum gas for the transfer to the payer. If the payer's account has code (EIP-7702), the transfer may use slightly
 * more than 21,000.
 */
const maxFundingGas = 100_000n;

/**
 * Waits until Permit2 may move the payment's amount, and resolves to the gas that was spent. Rejects with PaymentError
 * if the approval failed or wasn't included, or with NetworkError.
 */
export function sendApproval(
  { turns, store }: Sponsor,
  approval: Approval,
  relayer: Relayer,
): Promise<GasShare | undefined> {
  const { payer } = approval;
  const work = () => approve(approval, relayer);
  const start = () => (store ? runAlone(store, `approval of ${payer}`, work, otherInstanceMs) : work());
  const turn = (turns.get(payer) ?? Promise.resolve()).then(start);
  const ended = turn
    .catch(() => undefined)
    .finally(() => {
      if (turns.get(payer) === ended) turns.delete(payer);
    });
  turns.set(payer, ended);
  return turn;
}

async function approve(approval: Approval, relayer: Relayer): Promise<GasShare | undefined> {
  const isEnough = async () => ((await findAllowance(relayer.reader, approval)) ?? 0n) >= approval.neededUnits;
  // Another payment's approval may have been included first.
  if (await isEnough()) return undefined;
  const spent = await fund(approval, relayer);
  const result = await sendAgain(relayer, approval.transaction, inclusion);
  // Checks the allowance whatever the result is, because another approval with the same nonce may have been included
  // instead.
  if (await isEnough()) return spent;
  throw new PaymentError(result.kind === "mined" ? "erc20_approval_tx_failed" : "erc20_approval_broadcast_failed");
}

async function fund({ payer, gas, maxFeeWei }: Approval, relayer: Relayer): Promise<GasShare | undefined> {
  const { reader, address } = relayer;
  const neededWei = gas * maxFeeWei;
  const comingWei = await reader.getBalance(payer, "pending");
  if (comingWei >= neededWei) {
    await waitForBalance(relayer, payer, neededWei);
    return undefined;
  }
  const valueWei = neededWei - comingWei;
  const estimate = await reader.estimateGas({ from: address, to: payer, data: "0x" });
  if (!estimate.ok || estimate.gas > maxFundingGas) {
    throw new PaymentError("erc20_approval_broadcast_failed", "The payer's account does not accept native tokens.");
  }
  const call = { to: payer, data: "0x", value: valueWei, gas: (estimate.gas * 12n) / 10n } as const;
  const { result } = await sendCall(relayer, call, async () => undefined, inclusion);
  if (result.kind === "refused") {
    throw new PaymentError(
      "erc20_approval_broadcast_failed",
      "The network rejected the transfer that funds the approval's gas.",
    );
  }
  await waitForBalance(relayer, payer, neededWei);
  return toSpent(result, valueWei);
}

/**
 * Waits until the payer has the money in a block, because a pool rejects a transaction that the account can't pay for
 * yet.
 */
async function waitForBalance(
  { reader, waitMs, pollMs, signal }: Relayer,
  payer: Hex,
  neededWei: bigint,
): Promise<void> {
  const deadlineMs = Date.now() + waitMs;
  while ((await reader.getBalance(payer, "latest")) < neededWei) {
    if (Date.now() >= deadlineMs) throw new PaymentError("erc20_approval_broadcast_failed");
    await pause(pollMs, signal);
  }
}

function toSpent(result: TransactionResult, valueWei: bigint): GasShare {
  const { gasUsed, effectiveGasPrice } = result.kind === "mined" ? result.receipt : {};
  const used = BigInt(gasUsed ?? 0);
  return { used, costWei: valueWei + used * BigInt(effectiveGasPrice ?? 0) };
}
