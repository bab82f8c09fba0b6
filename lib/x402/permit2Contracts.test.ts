/**
 * Tests that a requirement lists its contracts unless they are canonical, that they are read back unchanged, and that
 * malformed ones are rejected.
 */
import { describe, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import { findPermit2Contracts, toPermit2Extra } from "@/lib/x402/permit2Contracts";
import { canSignPayment } from "@/lib/x402/signPayment";
import type { PaymentRequirements } from "@/lib/x402/types";

const moved = {
  ...canonicalContracts,
  permit2: `0x${"a1".repeat(20)}`,
  exactPermit2Proxy: `0x${"b2".repeat(20)}`,
  uptoPermit2Proxy: `0x${"c3".repeat(20)}`,
} as const;
const toRequirement = (scheme: string, extra: Record<string, unknown>): PaymentRequirements => ({
  scheme,
  network: "eip155:31337",
  amount: "1",
  asset: `0x${"d4".repeat(20)}`,
  payTo: `0x${"e5".repeat(20)}`,
  maxTimeoutSeconds: 60,
  extra: { assetTransferMethod: "permit2", ...extra },
});

describe.each(["exact", "upto"] as const)("a requirement with scheme %s", (scheme) => {
  it("omits canonical contracts, regardless of letter case", () => {
    const permit2 = canonicalContracts.permit2.toLowerCase() as `0x${string}`;
    expect(toPermit2Extra(scheme, { ...canonicalContracts, permit2 })).toEqual({});
    const found = findPermit2Contracts(toRequirement(scheme, {}));
    const proxy = scheme === "upto" ? canonicalContracts.uptoPermit2Proxy : canonicalContracts.exactPermit2Proxy;
    expect(found).toEqual({ permit2: canonicalContracts.permit2, proxy });
  });

  it("lists other contracts, and reads them back unchanged", () => {
    const found = findPermit2Contracts(toRequirement(scheme, toPermit2Extra(scheme, moved)));
    expect(found).toEqual({
      permit2: moved.permit2,
      proxy: scheme === "upto" ? moved.uptoPermit2Proxy : moved.exactPermit2Proxy,
    });
  });

  it.each([
    ["a number", { permit2Address: 1 }],
    ["too short", { permit2ProxyAddress: "0x1" }],
    ["empty", { permit2Address: "" }],
  ])("cannot be signed if a contract address is %s", (_, extra) => {
    expect(findPermit2Contracts(toRequirement(scheme, extra))).toBeUndefined();
    expect(canSignPayment(toRequirement(scheme, extra))).toBe(false);
    expect(canSignPayment(toRequirement(scheme, {}))).toBe(true);
  });
});
