/**
 * Checks whether a payment could be settled now by simulating it on the latest block; nothing is sent. If the payment
 * carries an approval, both are simulated in order.
 */

import { erc20Abi } from "@/lib/abi/erc20";
import type { Hex } from "@/lib/x402/types";
import { PaymentError } from "@/server/x402/reads/error";
import type { Reader } from "@/server/x402/reads/reader";
import type { Authorization, Payment } from "@/server/x402/schemes/scheme";

/** Throws PaymentError if the settling call, sent by from, would revert; NetworkError. */
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
    // The payment's approval is not in a block yet, so the missing allowance is not why the call reverted.
    throw error.reason === "permit2_allowance_required" ? new PaymentError(payment.simulationReason) : error;
  }
  // The network cannot simulate both, so check directly for what would make the settlement fail.
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
