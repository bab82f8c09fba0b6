/**
 * Tests that the first allowed and affordable requirement is chosen, and that each skipped one is recorded with the
 * reason.
 */
import { expect, it } from "vitest";
import { chooseRequirement, PayFetchError, type SpendLimit } from "./payFetchChoice";
import type { PaymentRequirements } from "./types";

const network = "eip155:10143";
const dollar = "0x534b2f3A21130d7a60830c2Df862319e593943A3";
const plain = "0x7011000000000000000000000000000000000001";
const toWay = (changes: Partial<PaymentRequirements>): PaymentRequirements => ({
  scheme: "exact",
  network,
  amount: "10000",
  asset: dollar,
  payTo: "0x2222222222222222222222222222222222222222",
  maxTimeoutSeconds: 60,
  extra: { name: "USDC", version: "2" },
  ...changes,
});
const spendLimits: SpendLimit[] = [
  { network, asset: dollar.toLowerCase(), maxUnits: 50_000n },
  { network, asset: plain, maxUnits: 50_000n },
];
const foreign = toWay({ network: "eip155:1" });
const unknown = toWay({ scheme: "deferred" });
const dear = toWay({ amount: "50001" });
const held = toWay({ asset: plain, extra: { assetTransferMethod: "permit2" } });
const usual = toWay({});
const getBalance = async ({ asset }: PaymentRequirements) => (asset === plain ? 9_999n : 10_000n);

it("chooses the first allowed and affordable requirement, and records why it skipped the others", async () => {
  const accepts = [foreign, unknown, dear, held, usual, toWay({ amount: "1" })];
  const { requirement, considered } = await chooseRequirement(accepts, { spendLimits, getBalance });
  expect(requirement).toBe(usual);
  expect(considered.map(({ verdict }) => verdict)).toEqual([
    "otherAsset",
    "unknownWay",
    "overLimit",
    "tooPoor",
    "chosen",
    "notNeeded",
  ]);
  expect(considered[2]).toMatchObject({ maxUnits: "50000" });
  expect(considered[3]).toMatchObject({ balanceUnits: "9999" });
});

it("chooses the first allowed requirement if balances are not read", async () => {
  const { requirement } = await chooseRequirement([dear, held, usual], { spendLimits });
  expect(requirement).toBe(held);
});

it.each([
  ["insufficient_funds", [foreign, dear, held]],
  ["spend_limit", [foreign, dear]],
  ["no_acceptable_requirement", [foreign, unknown]],
] as const)("explains why the requirement that came closest was not paid: %s", async (reason, accepts) => {
  const failure = await chooseRequirement(accepts, { spendLimits, getBalance }).catch((error) => error);
  expect(failure).toBeInstanceOf(PayFetchError);
  expect(failure).toMatchObject({ reason, considered: accepts.map((requirement) => ({ requirement })) });
});
