/**
 * Whether a payment could be settled now, told by running it on the latest block: nothing is sent. With an approval that
 * comes along, both run one after the other.
 */

import { erc20Abi } from "@/lib/abi/erc20";
import type { Hex } from "@/lib/x402/types";
import { PaymentError } from "@/server/x402/reads/error";
import type { Reader } from "@/server/x402/reads/reader";
import type { Authorization, Payment } from "@/server/x402/schemes/scheme";

/** Throws PaymentError where the settling call, made by from, would revert; NetworkError. */
export async function assertSettles(
  reader: Reader,
  payment: Payment,
  { call, approval }: Authorization,
  from: Hex,
): Promise<void> {
  if (!approval) {
    const outcome = await reader.call({ ...call, from });
    if (!outcome.ok) throw await payment.explain(outcome.revert);
    return;
  }
  const [approved, settled] = (await reader.callInTurn([approval.call, { ...call, from }])) ?? [
    await reader.call(approval.call),
  ];
  if (!approved?.ok) throw new PaymentError("erc20_approval_tx_failed");
  if (settled?.ok) return;
  if (settled) {
    const error = await payment.explain(settled.revert);
    // The approval that comes along is in no block yet: its absence is not what made the call revert.
    throw error.reason === "permit2_allowance_required" ? new PaymentError(payment.simulationReason) : error;
  }
  // Without a way to run both, what would make the settlement fail is looked at by itself.
  const { asset, payer, amountUnits } = payment.terms;
  const [balance, isUsed] = await Promise.all([
    reader.findValue(asset, erc20Abi, "balanceOf", [payer]),
    payment.isUsed(),
  ]);
  if (isUsed) throw new PaymentError(payment.usedReason);
  if (balance !== undefined && balance < amountUnits) {
    throw new PaymentError("insufficient_funds", `The payer holds ${balance} of ${amountUnits} units.`, {
      code: "permit2_insufficient_balance",
    });
  }
}
