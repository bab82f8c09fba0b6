/** Tests the labels of rules in check tables. */
import { describe, expect, it } from "vitest";
import { paymentRules } from "@/lib/x402/rules/paymentRules";
import { methodRule, requestRules, versionRule } from "@/lib/x402/rules/requestRules";
import { tokenPermitRules } from "@/lib/x402/rules/tokenPermitRules";
import { findRuleLabel } from "./ruleLabel";

const reasons = new Set<string>([
  ...[versionRule, ...requestRules, methodRule, ...tokenPermitRules].map(({ reason }) => reason),
  ...Object.values(paymentRules).flatMap(({ accepted, signed, settled }) =>
    [...accepted, ...signed, ...settled].map(({ reason }) => reason),
  ),
  "invalid_payload",
]);

describe("findRuleLabel", () => {
  it.each([...reasons])("returns a plain-language label for the rule behind %s", (reason) => {
    expect(findRuleLabel(reason)).toMatch(/^[A-Zx][^_]+$/);
  });

  it("returns undefined for an unknown rule", () => {
    expect(findRuleLabel("constructor")).toBeUndefined();
  });
});
