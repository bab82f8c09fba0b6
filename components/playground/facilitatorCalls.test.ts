/** Tests where the seller's calls to its facilitator are added to an exchange, and when they are not. */
import { expect, it } from "vitest";
import type { FlowStep } from "@/lib/payflow/flow";
import type { WireReceipt } from "@/lib/query/wire";
import { toFlowEntries, toTitleText } from "./flowEntries";
import { createFormatAmount } from "./flowValue";

const transaction = `0x${"ab".repeat(32)}`;
const paid = { atMs: 10, kind: "paidRequest", method: "GET", url: "/x", headers: {} } as const;
const verify: FlowStep = { atMs: 12, kind: "verify", checks: [], isTimed: true };
const settle: FlowStep = { atMs: 14, kind: "settle", transaction, readings: [], isTimed: true };
const receipt = {
  blockNumber: "0x9",
  gasUsed: "0x1",
  from: "0x1",
  status: "0x1",
} as Partial<WireReceipt> as WireReceipt;
const mined: FlowStep = { atMs: 18, kind: "mined", receipt, isTimed: true };
const answer = { atMs: 20, kind: "paidResponse", status: 200, headers: {} } as const;
const result = (success: boolean, errorReason?: string, hash = transaction): FlowStep => ({
  atMs: 20,
  kind: "settlement",
  header: "",
  settlement: { success, transaction: hash, network: "x", ...(errorReason && { errorReason }) },
});
const ledger = (state: string, refundOf: string | null = null) =>
  ({ atMs: 20, kind: "ledger", payment: { state, refundOf, createdAt: "0x0", changedAt: "0x1", steps: [] } }) as never;

function list(...steps: FlowStep[]): string[] {
  return toFlowEntries(steps, createFormatAmount([])).map(
    ({ kind, title, isUntimed }) => `${kind}${isUntimed ? ` untimed: ${toTitleText(title)}` : ""}`,
  );
}
const verifyCall = "verifyCall untimed: Verify the payment";
const settleCall = "settleCall untimed: Settle the payment";
const success = "settleReply untimed: Success with the transaction";

it("places the calls before what they led to, and the result after the block, without times", () => {
  expect(list(paid, verify, settle, mined, answer, result(true))).toEqual([
    "paidRequest",
    verifyCall,
    "verify",
    settleCall,
    "settle",
    "mined",
    success,
    "paidResponse",
    "settlement",
  ]);
});

it("shows the same for a payment that is only in the ledger", () => {
  expect(list(verify, settle, mined, ledger("settled")).slice(2, 6)).toEqual([settleCall, "settle", "mined", success]);
  expect(list(verify, settle, ledger("settling")).at(-2)).toBe("settle");
});

it("adds both calls even if there is no transaction, or if it hasn't been read yet", () => {
  expect(list(paid, verify, answer, result(true)).slice(3, 6)).toEqual([settleCall, success, "paidResponse"]);
  expect(list(paid, verify, answer, result(true, undefined, ""))[4]).toContain("Success without a transaction");
});

it("shows a failed settlement, and no result if the seller never got one", () => {
  expect(list(paid, verify, settle, mined, answer, result(false, "invalid_transaction_state"))[6]).toContain("failed");
  const lost = list(paid, verify, settle, mined, answer, result(false, "settlement_pending"), paid, answer);
  expect(lost.filter((entry) => entry.startsWith("settleReply"))).toEqual([]);
});

it("shows what x402 has the seller send and what it was told, if the payment is known", () => {
  const accepted = { scheme: "upto", network: "x", amount: "9", asset: "0x1", payTo: "0x2", maxTimeoutSeconds: 60 };
  const payload = { x402Version: 2 as const, accepted, payload: {} };
  const signature: FlowStep = { atMs: 9, kind: "signature", header: "", payload };
  const charged = { success: true, transaction, network: "x", amount: "4" };
  const told: FlowStep = { atMs: 20, kind: "settlement", header: "", settlement: charged };
  const entries = toFlowEntries([signature, paid, verify, settle, mined, answer, told], createFormatAmount([]));
  const toBody = (kind: string) => {
    const part = entries.find((entry) => entry.kind === kind)?.parts.find(({ tab }) => tab === "raw");
    return part && "text" in part ? JSON.parse(part.text) : undefined;
  };
  const toCall = (amount: string) => ({
    x402Version: 2,
    paymentPayload: payload,
    paymentRequirements: { ...accepted, amount },
  });
  expect(toBody("verifyCall")).toEqual(toCall("9"));
  expect(toBody("settleCall")).toEqual(toCall("4"));
  expect(toBody("settleReply")).toEqual(charged);
  const unknown = toFlowEntries([verify, settle, mined, ledger("settled")], createFormatAmount([]));
  expect(unknown.find(({ kind }) => kind === "verifyCall")?.parts).toEqual([]);
});

it("adds nothing to a refund, or to calls that the page made itself", () => {
  expect(list(settle, mined, ledger("settled", "0x1"))).toEqual(["settle", "mined", "ledger"]);
  const own: FlowStep = { atMs: 11, kind: "facilitatorRequest", path: "verify", body: {} };
  expect(list(paid, own, verify)).toEqual(["paidRequest", "facilitatorRequest", "verify"]);
});
