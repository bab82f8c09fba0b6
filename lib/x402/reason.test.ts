/**
 * Whatever word a facilitator answers with can be explained.
 */
import { expect, it } from "vitest";
import { findReason } from "@/lib/x402/reason";
import { reasonTable } from "@/lib/x402/reasonTable";

it("explains its own words, with or without a message behind them", () => {
  for (const word of Object.keys(reasonTable)) {
    expect(findReason(word)?.reason).toBe(word);
    expect(findReason(`${word}: because`)?.reason).toBe(word);
  }
});

it("explains the words of others", () => {
  expect(findReason("invalid_exact_evm_insufficient_balance")?.reason).toBe("insufficient_funds");
  expect(findReason("permit2_insufficient_balance")?.reason).toBe("insufficient_funds");
  expect(findReason("PERMIT2_ALLOWANCE_REQUIRED")?.reason).toBe("permit2_allowance_required");
  expect(findReason("unexpected_settle_error")?.reason).toBe("unexpected_error");
});

it("says nothing about what it does not know", () => {
  for (const text of ["", "Payment required", "constructor", "__proto__", "toString: x"]) {
    expect(findReason(text)).toBeUndefined();
  }
});

it("gives every cause and remedy as one sentence", () => {
  for (const { cause, fix } of Object.values(reasonTable)) {
    expect(cause).toMatch(/^[A-Z].*\.$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  }
});
