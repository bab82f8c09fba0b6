/**
 * The `exact` scheme: the payer authorizes exactly the required amount, through EIP-3009 if the token supports it and
 * otherwise through Permit2. The payload's transfer method must match the requirement's.
 */
import { toPermit2Extra } from "@/lib/x402/permit2Contracts";
import { methodRule } from "@/lib/x402/rules/requestRules";
import { assertRules } from "@/server/x402/schemes/assertRules";
import { toPermit2Payment } from "@/server/x402/schemes/permit2";
import type { Scheme } from "@/server/x402/schemes/scheme";
import { toEip3009Payment } from "@/server/x402/schemes/v2-eip155-exact/eip3009";
import { exactPermit2 } from "@/server/x402/schemes/v2-eip155-exact/permit2";

export const exactScheme: Scheme = {
  id: "v2-eip155-exact",
  name: "exact",
  toKindExtra({ contracts }) {
    const extra = toPermit2Extra("exact", contracts);
    return Object.keys(extra).length > 0 ? extra : undefined;
  },
  toPayment(network, payload, requirements) {
    assertRules([methodRule], { payload, required: requirements }, {});
    return "permit2Authorization" in payload.payload
      ? toPermit2Payment(exactPermit2, network, payload, requirements)
      : toEip3009Payment(network, payload, requirements);
  },
};
