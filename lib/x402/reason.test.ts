/** Tests that reason codes are explained, whichever facilitator sent them. */
import { expect, it } from "vitest";
import { findReason } from "@/lib/x402/reason";
import { reasonTable } from "@/lib/x402/reasonTable";

it("explains our reasons, with or without a message after them", () => {
  for (const word of Object.keys(reasonTable)) {
    expect(findReason(word)?.reason).toBe(word);
    expect(findReason(`${word}: because`)?.reason).toBe(word);
  }
});

it("explains other implementations' reasons", () => {
  expect(findReason("invalid_exact_evm_insufficient_balance")?.reason).toBe("insufficient_funds");
  expect(findReason("permit2_insufficient_balance")?.reason).toBe("insufficient_funds");
  expect(findReason("PERMIT2_ALLOWANCE_REQUIRED")?.reason).toBe("permit2_allowance_required");
  expect(findReason("unexpected_settle_error")?.reason).toBe("unexpected_error");
});

it("returns undefined for an unknown reason", () => {
  for (const text of ["", "Payment required", "constructor", "__proto__", "toString: x"]) {
    expect(findReason(text)).toBeUndefined();
  }
});

it("explains every cause and fix in full sentences", () => {
  for (const { cause, fix } of Object.values(reasonTable)) {
    expect(cause).toMatch(/^[A-Z].*\.$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  }
});
