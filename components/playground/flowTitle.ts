/** Sums up an exchange in a few words, for headings, notices and link previews: "Paid 0.01 USDC in 768 ms". */
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { findOutcome, toChargedUnits } from "@/lib/payflow/flowOutcome";
import { formatInteger } from "@/lib/units";
import type { FormatAmount } from "./flowValue";
import { toHeadline } from "./refusal";

export function toFlowTitle(steps: readonly FlowStep[], formatAmount: FormatAmount): string {
  const outcome = findOutcome(steps);
  const { settlement, payload, refusal, stopped, wasSent, status } = outcome;
  if (settlement?.success && payload && refusal === undefined) {
    const amount = formatAmount({ ...payload.accepted, amount: toChargedUnits(outcome) });
    // The time of the response's row. The body may arrive later, but the payment is over.
    const answered = findStep(steps, "paidResponse");
    // If the payment was sent again, the visitor's thinking time in between doesn't count.
    const sent = steps.filter(({ kind }) => kind === "paidRequest");
    const start = sent.length > 1 ? sent.at(-1) : steps[0];
    if (!start || !answered) return `Paid ${amount}`;
    // A new account waits for the faucet's block first.
    const funding = start === steps[0] && findStep(steps, "funded") ? ", including funding" : "";
    return `Paid ${amount} in ${formatInteger(Math.max(0, Math.round(answered.atMs - start.atMs)))} ms${funding}`;
  }
  if (stopped !== undefined) return wasSent ? "Payment sent, result unknown" : "Payment not sent";
  if (refusal !== undefined) return toHeadline(refusal, steps).title;
  return status !== undefined && status < 400 ? "No payment required" : "Payment not sent";
}
