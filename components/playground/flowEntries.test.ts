/** Tests the timeline entries of an exchange: each step's lane, title, offset and details. */
import { expect, it } from "vitest";
import { toJson } from "@/lib/json";
import type { FlowStep } from "@/lib/payflow/flow";
import type { Payment, WireReceipt } from "@/lib/query/wire";
import { encodeHeader } from "@/lib/x402/header";
import type { Check } from "@/lib/x402/rules/rule";
import type { PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from "@/lib/x402/types";
import { toFlowEntries, toTitleText } from "./flowEntries";
import type { FlowPart } from "./flowPart";
import { createFormatAmount, toFlowValue } from "./flowValue";

const payer = "0x1111111111111111111111111111111111111111";
const asset = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const transaction = `0x${"ab".repeat(32)}`;
const formatAmount = createFormatAmount([{ address: asset, symbol: "USDC", decimals: 6 }]);
const requirement: PaymentRequirements = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset: asset.toUpperCase().replace("0X", "0x"),
  payTo: "0x2222222222222222222222222222222222222222",
  maxTimeoutSeconds: 60,
};
const paymentRequired: PaymentRequired = {
  x402Version: 2,
  error: "insufficient_funds: The payer holds 1 of 2 units.",
  resource: { url: "http://localhost/api/paid/x" },
  accepts: [requirement],
};
const authorization = {
  from: payer,
  to: payer,
  value: "9999",
  validAfter: "0",
  validBefore: "1700000300",
  nonce: `0x${"ab".repeat(32)}`,
};
const payload: PaymentPayload = {
  x402Version: 2,
  accepted: requirement,
  payload: { signature: "0x", authorization },
};
const settled: SettleResponse = { success: true, transaction, network: "eip155:10143", payer };
const start = 1_700_000_000_000;

const steps: FlowStep[] = [
  { atMs: start, kind: "request", method: "GET", url: "http://localhost/api/paid/x?network=testnet", headers: {} },
  { atMs: start + 5, kind: "response", status: 402, headers: { "content-type": "application/json" } },
  { atMs: start + 5, kind: "paymentRequired", header: encodeHeader(paymentRequired), paymentRequired },
  { atMs: start + 7, kind: "funded", transaction },
  {
    atMs: start + 8,
    kind: "choice",
    requirement,
    considered: [
      { requirement: { ...requirement, amount: "99" }, verdict: "otherAsset" },
      { requirement, verdict: "chosen" },
    ],
  },
  {
    atMs: start + 8,
    kind: "typedData",
    data: {
      domain: { name: "USDC", version: "2", chainId: 10143, verifyingContract: asset },
      types: {},
      primaryType: "TransferWithAuthorization",
      message: { value: 10_000n },
    },
  },
  { atMs: start + 20, kind: "signature", header: encodeHeader(payload), payload },
  { atMs: start + 20, kind: "paidRequest", method: "GET", url: "/api/paid/x", headers: {} },
  { atMs: start + 60, kind: "paidResponse", status: 200, headers: {} },
  { atMs: start + 60, kind: "settlement", header: encodeHeader(settled), settlement: settled },
  {
    atMs: start + 70,
    kind: "ledger",
    payment: {
      state: "settled",
      createdAt: "0x64",
      changedAt: "0x88",
      reason: null,
      steps: [{ state: "verified", at: "0x64" }],
    } as Partial<Payment> as Payment,
  },
  {
    atMs: start + 70,
    kind: "mined",
    isTimed: true,
    receipt: {
      blockNumber: "0x9",
      gasUsed: "0x11f04",
      from: payer,
      status: "0x1",
    } as Partial<WireReceipt> as WireReceipt,
  },
];

it("lists a settled payment's steps in order", () => {
  const entries = toFlowEntries(steps, formatAmount);
  expect(
    entries.map(
      ({ lane, title, offsetMs }) =>
        `${lane} ${offsetMs === undefined ? "read" : `+${offsetMs}`} ${toTitleText(title)}`,
    ),
  ).toEqual([
    "client +0 GET /api/paid/x",
    "server +5 402 Payment Required",
    "server +5 The price is 0.01 USDC",
    `chain +7 The faucet sent test money: ${transaction}`,
    "client +8 Selected from 2 options: exact on eip155:10143",
    "client +8 Sign TransferWithAuthorization",
    `client +20 Signed by ${payer}`,
    "client +20 GET with the payment",
    "server +60 Settle the payment",
    "facilitator +60 Success with the transaction",
    "server +60 200 OK",
    `facilitator +60 Settled: ${transaction}`,
    "facilitator read Ledger: settled 36 ms after verification",
    "chain +70 Mined in block 9",
  ]);
  expect(entries.some(({ failed }) => failed)).toBe(false);
});

it("splits titles into text and links to accounts, transactions and blocks", () => {
  const titles = toFlowEntries(steps, formatAmount).map(({ title }) => title);
  expect(titles[3]).toEqual(["The faucet sent test money: ", { transaction }]);
  expect(titles[6]).toEqual(["Signed by ", { address: payer }]);
  expect(titles[13]).toEqual(["Mined in block ", { block: 9 }]);
});

it("sorts a step's details into tabs: summary, headers, decoded, raw and code", () => {
  const entries = toFlowEntries(steps, formatAmount, { origin: "http://localhost", network: "testnet" });
  const header = encodeHeader(paymentRequired);
  const find = (index: number, tab: FlowPart["tab"]) => entries[index]?.parts.filter((part) => part.tab === tab) ?? [];
  expect(find(2, "decoded")).toMatchObject([{ text: toJson(paymentRequired), beside: { text: header } }]);
  expect(find(2, "raw")).toMatchObject([
    { text: header, label: `PAYMENT-REQUIRED header as sent, ${header.length} bytes` },
  ]);
  expect(find(1, "headers")).toMatchObject([{ text: "content-type: application/json" }]);
  expect(find(4, "summary")).toMatchObject([
    {
      rows: [
        { label: "exact · 0.000099 USDC", value: "Skipped: this page can’t pay with it" },
        { label: "exact · 0.01 USDC", value: "Selected: can be signed and paid" },
      ],
    },
  ]);
  expect(JSON.stringify(find(5, "decoded"))).toContain('\\"value\\": \\"10000\\"');
  expect(find(7, "code")).toMatchObject([{ text: "curl -i 'http://localhost/api/paid/x'" }]);
});

it("decodes the payment that a request carries, and compares it with the requirement only if it differs", () => {
  const find = (payment: typeof payload) =>
    toFlowEntries(
      steps.map((step) => (step.kind === "signature" ? { ...step, payload: payment } : step)),
      formatAmount,
    )[7]?.parts ?? [];
  const rows = [
    { label: "Request", value: "GET /api/paid/x" },
    { label: "Amount", value: "0.009999 USDC (9,999 units)" },
    { label: "Payer", value: { address: payer } },
    { label: "Payee", value: { address: payer } },
    { label: "Nonce", value: authorization.nonce },
    { label: "Valid after", value: "1970-01-01 00:00:00 UTC (valid at once)" },
    { label: "Valid before", value: "2023-11-14 22:18:20 UTC" },
  ];
  const differing = find(payload);
  expect(differing[0]).toMatchObject({ rows });
  expect(differing[1]).toMatchObject({ label: "Payment compared with the requirement" });
  expect(differing.find(({ tab }) => tab === "decoded")).toMatchObject({ text: toJson(payload) });
  const right = { ...authorization, to: requirement.payTo, value: "10000" };
  const [summary, next] = find({ ...payload, payload: { signature: "0x", authorization: right } });
  expect(JSON.stringify(summary)).toContain("Met: same scheme");
  expect(next?.tab).not.toBe("summary");
});

it("labels the faucet's transaction as a transaction, not as the settlement", () => {
  expect(toFlowEntries(steps, formatAmount)[3]?.parts).toMatchObject([
    { rows: [{ label: "Transaction", value: { transaction } }] },
  ]);
});

it("omits the time for state that was read after the exchange", () => {
  const reads: FlowStep[] = [
    ...steps,
    { atMs: start + 70, kind: "final", block: 9, finalized: 12 },
    {
      atMs: start + 70,
      kind: "balances",
      asset,
      changes: [{ party: "payer", address: payer, before: "20000", after: "10000" }],
    },
  ];
  const untimed = toFlowEntries(reads, formatAmount).filter(({ offsetMs }) => offsetMs === undefined);
  expect(untimed.map(({ title }) => toTitleText(title))).toEqual([
    "Ledger: settled 36 ms after verification",
    "Block 9 is final",
    "The payer’s balance went from 0.02 USDC to 0.01 USDC",
  ]);
});

it("compares the payment with its requirement field by field", () => {
  const [part] = toFlowEntries(steps, formatAmount)[7]?.parts.filter((candidate) => "checks" in candidate) ?? [];
  const checks = part && "checks" in part ? part.checks : [];
  expect(checks.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual([
    "scheme pass",
    "network pass",
    "amount fail",
    "payTo fail",
    "asset pass",
    "resource pass",
  ]);
});

it("marks failed steps", () => {
  const failure: SettleResponse = { success: false, errorReason: "settlement_pending", transaction: "", network: "x" };
  const failed: FlowStep[] = [
    { atMs: 1, kind: "paidResponse", status: 402, headers: {} },
    { atMs: 1, kind: "settlement", header: encodeHeader(failure), settlement: failure },
    { atMs: 1, kind: "refusal", header: encodeHeader(paymentRequired), paymentRequired },
    { atMs: 1, kind: "stopped", message: "You declined." },
    {
      atMs: 1,
      kind: "mined",
      receipt: {
        blockNumber: "0x1",
        gasUsed: "0x1",
        from: payer,
        status: "0x0",
      } as Partial<WireReceipt> as WireReceipt,
    },
  ];
  const entries = toFlowEntries(failed, formatAmount);
  expect(entries.map((entry) => entry.failed)).toEqual([true, true, true, true, true]);
  expect(entries.slice(1, 4).map(({ title }) => toTitleText(title))).toEqual([
    "Settlement failed: settlement_pending",
    "Rejected: insufficient_funds",
    "Stopped: You declined.",
  ]);
});

it("does not call a payment verified if the seller then rejects it", () => {
  const toTitle = (...after: FlowStep[]) => {
    const entries = toFlowEntries([{ atMs: 0, kind: "verify", checks: [passed] }, ...after], formatAmount);
    const entry = entries.find(({ kind }) => kind === "verify");
    return { title: toTitleText(entry!.title), failed: entry!.failed };
  };
  const passed: Check = { rule: "insufficient_funds", asked: "1", given: "1", outcome: "pass" };
  const error = "unexpected_error: The facilitator returned HTTP 500 for /verify.";
  const refusal: FlowStep = { atMs: 1, kind: "refusal", header: "", paymentRequired: { ...paymentRequired, error } };
  const settlement: FlowStep = { atMs: 1, kind: "settlement", header: "", settlement: settled };
  expect(toTitle(refusal)).toEqual({ title: "Verification failed: unexpected_error", failed: true });
  expect(toTitle(settlement, refusal)).toEqual({ title: "Verified: 1 check passed", failed: false });
});

it("names a failed check as the check's details do", () => {
  const failed: Check = { rule: "insufficient_funds", asked: "2", given: "1", outcome: "fail" };
  const [, verify] = toFlowEntries([{ atMs: 0, kind: "verify", checks: [failed] }], formatAmount);
  expect(toTitleText(verify!.title)).toBe("Check failed: Balance");
});

it("formats an unknown asset's amount in units, followed by the asset's address", () => {
  expect(formatAmount({ asset: payer, amount: "1234567" })).toBe(`1,234,567 units of ${payer}`);
  const other = { label: "Base Sepolia", chainId: 84532, tokens: [{ address: payer, symbol: "USDC", decimals: 6 }] };
  const formatAny = createFormatAmount([{ address: asset, symbol: "USDC", decimals: 6 }], [other]);
  expect(formatAny({ asset: payer, amount: "10000", network: "eip155:84532" })).toBe("0.01 USDC on Base Sepolia");
  expect(formatAny({ asset, amount: "10000", network: "eip155:10143" })).toBe("0.01 USDC");
  expect(toFlowValue({ time: 1_700_000_000, bound: "most" }, formatAny)).toBe("at most 2023-11-14 22:13:20 UTC");
  expect(toFlowValue({ units: "10000", asset, bound: "least" }, formatAny)).toBe("at least 0.01 USDC");
  const requirement = { scheme: "exact", network: "eip155:10143", amount: "10000", asset };
  expect(toFlowValue({ requirements: [requirement, { ...requirement, scheme: "upto" }] }, formatAny)).toBe(
    "exact on eip155:10143, 0.01 USDC; upto on eip155:10143, 0.01 USDC",
  );
});

it("says when a payment settled without a transaction", () => {
  const nothing: SettleResponse = { ...settled, transaction: "", amount: "0" };
  const [entry] = toFlowEntries([{ atMs: 0, kind: "settlement", header: "", settlement: nothing }], formatAmount);
  expect(toTitleText(entry!.title)).toBe("Settled without a transaction");
});
