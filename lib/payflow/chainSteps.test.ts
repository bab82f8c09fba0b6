/**
 * Tests that steps from the ledger and the chain appear in the order they happened, even if the clocks differ.
 */
import { expect, it } from "vitest";
import type { Payment, WireReceipt } from "@/lib/query/wire";
import { type ChainFacts, toLedgerSteps, withChainSteps } from "./chainSteps";
import type { FlowStep } from "./flow";

const quantity = (value: number): `0x${string}` => `0x${value.toString(16)}`;
const hash: `0x${string}` = `0x${"ab".repeat(32)}`;

function toPayment(startMs: number, changes: Partial<Payment> = {}): Payment {
  return {
    id: `0x${"1d".repeat(32)}`,
    state: "settled",
    asset: "0x1",
    transaction: hash,
    batchSize: "0x2",
    createdAt: quantity(startMs),
    changedAt: quantity(startMs + 40),
    steps: [
      { state: "received", at: quantity(startMs) },
      { state: "verified", at: quantity(startMs + 5) },
      { state: "settling", at: quantity(startMs + 10) },
      { state: "settled", at: quantity(startMs + 40) },
    ],
    ...changes,
  } as Partial<Payment> as Payment;
}
const receipt = { blockNumber: "0x7", gasUsed: "0x1", from: "0x1", status: "0x1" } as Partial<WireReceipt>;
const steps: FlowStep[] = [
  { kind: "request", atMs: 1_000, method: "GET", url: "/x", headers: {} },
  { kind: "paidRequest", atMs: 1_100, method: "GET", url: "/x", headers: {} },
  { kind: "verify", atMs: 1_100, checks: [] },
  { kind: "paidResponse", atMs: 1_200, status: 200, headers: {} },
];
const facts = (startMs: number): ChainFacts => ({
  payment: toPayment(startMs),
  receipt: receipt as WireReceipt,
  finalized: 9,
  balances: [{ party: "payer", address: "0x1", before: "2", after: "1" }],
});
const order = "request paidRequest verify settle mined paidResponse ledger final balances";
const kinds = (found: readonly FlowStep[]) => found.map(({ kind }) => kind).join(" ");
const times = (found: readonly FlowStep[]) => found.map(({ atMs }) => atMs);

it("places the settlement between the payment and its response, at the ledger's times", () => {
  const found = withChainSteps(steps, facts(1_110));
  expect(kinds(found)).toBe(order);
  expect(times(found).slice(2, 6)).toEqual([1_115, 1_120, 1_150, 1_200]);
  expect(found[2]).toMatchObject({ tookMs: 5 });
  expect(found[3]).toMatchObject({ tookMs: 30 });
  expect(found.slice(2, 5).map((step) => "isTimed" in step)).toEqual([true, true, true]);
});

// The times stay positive, because quantities can't be negative.
it.each([-600, 60_000])("keeps the order of steps if the server's clock is off by %i ms", (offMs) => {
  const found = withChainSteps(steps, facts(1_110 + offMs));
  expect(kinds(found)).toBe(order);
  expect(found.some((step) => "isTimed" in step)).toBe(false);
  expect(times(found.slice(0, 6))).toEqual(times(found.slice(0, 6)).toSorted((one, other) => one - other));
});

it("places a settlement before the response that was lost, not before the later one", () => {
  const twice: FlowStep[] = [
    ...steps.slice(0, 3),
    { kind: "paidResponse", atMs: 3_000, status: 402, headers: {} },
    { kind: "paidRequest", atMs: 9_000, method: "GET", url: "/x", headers: {} },
    { kind: "paidResponse", atMs: 9_100, status: 200, headers: {} },
  ];
  expect(kinds(withChainSteps(twice, facts(1_110)))).toBe(
    "request paidRequest verify settle mined paidResponse paidRequest paidResponse ledger final balances",
  );
});

it("doesn't add steps for data that isn't available yet", () => {
  expect(withChainSteps(steps, {})).toEqual(steps);
  const open = toPayment(1_110, { state: "settling", steps: [], transaction: null });
  expect(withChainSteps(steps, { payment: open })).toEqual(steps);
  expect(kinds(withChainSteps(steps, { ...facts(1_110), finalized: 6 }))).not.toContain("final");
});

it("shows a payment that is only in the ledger", () => {
  const found = toLedgerSteps({ ...facts(1_110), payment: toPayment(1_110) });
  expect(kinds(found)).toBe("verify settle mined ledger final balances");
  expect(found[2]).toMatchObject({ batchSize: 2 });
});
