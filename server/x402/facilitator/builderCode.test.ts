/**
 * Tests that the builder-code suffix matches the published extension's, and that the published extension can read it.
 */
import { BuilderCodeFacilitatorExtension, parseBuilderCodeSuffixFromCalldata } from "@x402/extensions/builder-code";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentPayload } from "@/lib/x402/types";
import { findBuilderSuffix } from "@/server/x402/facilitator/builderCode";
import { requirement, startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

const withInfo = (info: unknown) => ({ x402Version: 2, extensions: { "builder-code": { info } } }) as never;
const published = new BuilderCodeFacilitatorExtension();

describe("findBuilderSuffix", () => {
  it.each([
    { a: "bc_shop" },
    { s: "one" },
    { s: ["one", "two"] },
    { a: "a".repeat(32), s: Array.from({ length: 12 }, (_, at) => `service_${"x".repeat(20)}${at}`) },
    { a: "Not a code", s: ["ok", 7, "NO", "a".repeat(33)] },
    { a: 7, s: [] },
    undefined,
    null,
    [],
  ])("writes what the published facilitator writes for %j", (info) => {
    const payload = withInfo(info);
    expect(findBuilderSuffix(payload)).toBe(
      published.buildDataSuffix({ paymentPayload: payload, paymentRequirements: requirement as never }),
    );
  });
});

describe("a settlement", () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.close());

  it("ends its calldata with the payment's builder codes, even if other payments could share its transaction", async () => {
    const facilitator = testbed.createFacilitator();
    const payer = await testbed.createPayer(1_000_000n);
    const info = { a: "bc_shop", s: ["bc_agent"] };
    const coded: PaymentPayload = { ...(await toPayment(payer)), extensions: { "builder-code": { info } } };
    const others = await Promise.all([1, 2, 3].map(() => toPayment(payer)));
    const outcomes = await Promise.all([...others, coded].map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.map(({ success }) => success)).toEqual([true, true, true, true]);
    const { input } = await testbed.client.getTransaction({ hash: outcomes[3]?.transaction as Hex });
    expect(parseBuilderCodeSuffixFromCalldata(input)).toEqual(info);
    await facilitator.close();
  });
});
