/** Tests that a payment's title has the time of its response, and says if it includes the wait for the faucet. */
import { expect, it } from "vitest";
import type { FlowStep } from "@/lib/payflow/flow";
import type { PaymentRequirements } from "@/lib/x402/types";
import { toFlowTitle } from "./flowTitle";
import { createFormatAmount } from "./flowValue";

const asset = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const accepted: PaymentRequirements = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset,
  payTo: "0x2222222222222222222222222222222222222222",
  maxTimeoutSeconds: 60,
};
const steps: FlowStep[] = [
  { atMs: 100, kind: "request", method: "GET", url: "http://localhost/x", headers: {} },
  { atMs: 120, kind: "signature", header: "", payload: { x402Version: 2, accepted, payload: { signature: "0x" } } },
  { atMs: 130, kind: "paidRequest", method: "GET", url: "/x", headers: {} },
  { atMs: 1_400, kind: "paidResponse", status: 200, headers: {} },
  {
    atMs: 1_400,
    kind: "settlement",
    header: "",
    settlement: { success: true, transaction: "", network: "eip155:10143" },
  },
  { atMs: 1_700, kind: "content", status: 200, mimeType: "application/json", body: "{}" },
];

it("says how long it took from the first request to the response", () => {
  const formatAmount = createFormatAmount([{ address: asset, symbol: "USDC", decimals: 6 }]);
  expect(toFlowTitle(steps, formatAmount)).toBe("Paid 0.01 USDC in 1,300 ms");
});

it("says that the time includes the wait for the faucet", () => {
  const funded: FlowStep = { atMs: 110, kind: "funded", transaction: `0x${"11".repeat(32)}` };
  const [request, ...others] = steps;
  expect(toFlowTitle([request!, funded, ...others], createFormatAmount([]))).toMatch(
    / in 1,300 ms, including funding$/,
  );
});
