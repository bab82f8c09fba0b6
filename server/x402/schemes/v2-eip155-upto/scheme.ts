/**
 * The `upto` scheme: the payer permits a maximum, and the resource charges for actual use. Only the facilitator in the
 * witness may settle, because otherwise anyone could charge the maximum.
 */
import { encodeFunctionData } from "viem";
import { uptoProxyAbi } from "@/lib/abi/x402Proxies";
import { toPermit2Extra } from "@/lib/x402/permit2Contracts";
import { paymentRules } from "@/lib/x402/rules/paymentRules";
import { type Permit2Scheme, toPermit, toPermit2Payment } from "@/server/x402/schemes/permit2";
import type { Scheme } from "@/server/x402/schemes/scheme";

const uptoPermit2: Permit2Scheme = {
  name: "upto",
  proxyAbi: uptoProxyAbi,
  rules: paymentRules["upto permit2"],
  revertedReason: "invalid_upto_evm_transaction_failed",
  toCalldata({ authorization, signature, chargeUnits, tokenPermit }) {
    const { from, witness } = authorization;
    // The rules have already rejected a witness without a facilitator.
    const facilitator = witness.facilitator ?? "0x";
    const bound = { to: witness.to, facilitator, validAfter: BigInt(witness.validAfter) };
    const args = [toPermit(authorization), chargeUnits, from, bound, signature] as const;
    return tokenPermit
      ? encodeFunctionData({ abi: uptoProxyAbi, functionName: "settleWithPermit", args: [tokenPermit, ...args] })
      : encodeFunctionData({ abi: uptoProxyAbi, functionName: "settle", args });
  },
};

export const uptoScheme: Scheme = {
  id: "v2-eip155-upto",
  name: "upto",
  // Resource servers copy this account into their requirements. Clients cannot sign without it.
  toKindExtra: ({ facilitators: [advertised], contracts }) => ({
    facilitatorAddress: advertised,
    ...toPermit2Extra("upto", contracts),
  }),
  toPayment(network, payload, requirements, purpose) {
    return toPermit2Payment(uptoPermit2, network, payload, requirements, purpose === "settle");
  },
};
