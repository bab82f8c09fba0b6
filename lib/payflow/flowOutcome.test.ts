/** Tests how an exchange's outcome is determined from its steps. */
import { describe, expect, it } from "vitest";
import type { PaymentPayload, PaymentRequired, SettleResponse } from "@/lib/x402/types";
import type { FlowStep } from "./flow";
import { findOutcome, toChargedUnits } from "./flowOutcome";

const payer = `0x${"12".repeat(20)}`;
const payload = {
  x402Version: 2,
  accepted: {
    scheme: "exact",
    network: "eip155:1",
    amount: "10000",
    asset: "0x1",
    payTo: "0x2",
    maxTimeoutSeconds: 60,
  },
  payload: {
    authorization: {
      from: payer,
      to: payer,
      value: "10000",
      validAfter: "0",
      validBefore: "9",
      nonce: `0x${"00".repeat(32)}`,
    },
  },
} as PaymentPayload;
const sent: FlowStep[] = [
  { kind: "request", atMs: 1, method: "GET", url: "/x", headers: {} },
  { kind: "response", atMs: 2, status: 402, headers: {} },
  { kind: "signature", atMs: 3, payload, header: "" },
  { kind: "paidRequest", atMs: 4, method: "GET", url: "/x", headers: {} },
];
const settle = (settlement: Partial<SettleResponse>): FlowStep => ({
  kind: "settlement",
  atMs: 6,
  header: "",
  settlement: { success: true, transaction: "0xab", network: "eip155:1", ...settlement },
});
const refuse = (error: string): FlowStep => ({
  kind: "refusal",
  atMs: 7,
  header: "",
  paymentRequired: { error } as PaymentRequired,
});
const answer = (status: number): FlowStep => ({ kind: "paidResponse", atMs: 5, status, headers: {} });

describe("findOutcome", () => {
  it("finds the payer and the settlement of a paid request", () => {
    const outcome = findOutcome([...sent, answer(200), settle({})]);
    expect(outcome).toMatchObject({ status: 200, payer, settlement: { success: true }, refusal: undefined });
  });

  it("prefers the server's reason to the facilitator's", () => {
    const failed = settle({ success: false, errorReason: "settlement_failed" });
    expect(findOutcome([...sent, answer(402), failed, refuse("settlement_pending")]).refusal).toBe(
      "settlement_pending",
    );
    expect(findOutcome([...sent, answer(500), failed]).refusal).toBe("settlement_failed");
  });

  it("counts only the last response if the payment was sent again", () => {
    const first = [...sent, answer(402), refuse("settlement_pending")];
    const again: FlowStep[] = [{ kind: "paidRequest", atMs: 8, method: "GET", url: "/x", headers: {} }, answer(200)];
    expect(findOutcome([...first, ...again, settle({})])).toMatchObject({ status: 200, refusal: undefined });
  });

  it("reads the reason of a facilitator that was called directly", () => {
    const called = (path: string, body: object, failed: boolean): FlowStep => ({
      kind: "facilitatorAnswer",
      atMs: 5,
      path,
      status: 200,
      body,
      failed,
    });
    const steps = [
      ...sent.slice(0, 3),
      called("verify", { isValid: true }, false),
      called("settle", { success: false, errorReason: "too_much" }, true),
    ];
    expect(findOutcome(steps)).toMatchObject({ refusal: "too_much", wasSent: false });
  });

  it("says why the client stopped and whether the payment was sent", () => {
    const stopped: FlowStep = { kind: "stopped", atMs: 9, message: "Declined." };
    expect(findOutcome([...sent.slice(0, 2), stopped])).toMatchObject({
      stopped: "Declined.",
      wasSent: false,
      status: 402,
    });
    expect(findOutcome([...sent, stopped])).toMatchObject({ stopped: "Declined.", wasSent: true, status: undefined });
  });
});

it("charges the settled amount if there is one, and otherwise the price", () => {
  expect(toChargedUnits(findOutcome([...sent, settle({ amount: "7" })]))).toBe("7");
  expect(toChargedUnits(findOutcome([...sent, settle({ amount: "lots" })]))).toBe("10000");
  expect(toChargedUnits(findOutcome([]))).toBe("0");
});
