/**
 * The upto scheme: the payer permits a maximum, and the resource charges for actual use. Only the facilitator named in
 * the witness may settle, so nobody else can charge the maximum.
 */
import { encodeFunctionData } from "viem";
import { uptoProxyAbi } from "@/lib/abi/x402Proxies";
import { toPermit2Extra } from "@/lib/x402/permit2Contracts";
import { PaymentError } from "@/server/x402/reads/error";
import { type Permit2Scheme, toPermit, toPermit2Payment } from "@/server/x402/schemes/permit2";
import type { Scheme } from "@/server/x402/schemes/scheme";
import { toLower } from "@/server/x402/schemes/transfer";

const uptoPermit2: Permit2Scheme = {
  name: "upto",
  proxyAbi: uptoProxyAbi,
  schemeReason: "invalid_upto_evm_scheme",
  networkReason: "invalid_upto_evm_network_mismatch",
  revertedReason: "invalid_upto_evm_transaction_failed",
  toCharge: (_, requirements) => BigInt(requirements.amount),
  assertWitness({ witness }, { facilitators }) {
    if (!witness.facilitator || !facilitators.includes(toLower(witness.facilitator))) {
      throw new PaymentError("upto_facilitator_mismatch");
    }
  },
  assertAmount({ permitted }, requirements) {
    if (BigInt(permitted.amount) !== BigInt(requirements.amount)) throw new PaymentError("permit2_amount_mismatch");
  },
  toCalldata({ authorization, signature, chargeUnits, tokenPermit }) {
    const { from, witness } = authorization;
    // assertWitness has already run, so there is a facilitator.
    const facilitator = witness.facilitator ?? "0x";
    const bound = { to: witness.to, facilitator, validAfter: BigInt(witness.validAfter) };
    const args = [toPermit(authorization), chargeUnits, from, bound, signature] as const;
    return tokenPermit
      ? encodeFunctionData({ abi: uptoProxyAbi, functionName: "settleWithPermit", args: [tokenPermit, ...args] })
      : encodeFunctionData({ abi: uptoProxyAbi, functionName: "settle", args });
  },
};

/** At settlement, the requirement's amount is the charge, up to the permitted amount. */
const uptoSettlement: Permit2Scheme = {
  ...uptoPermit2,
  assertAmount({ permitted }, requirements) {
    if (BigInt(requirements.amount) > BigInt(permitted.amount)) {
      throw new PaymentError("invalid_upto_evm_payload_settlement_exceeds_amount");
    }
  },
};

export const uptoScheme: Scheme = {
  id: "v2-eip155-upto",
  name: "upto",
  // Resource servers copy it into their requirements, and clients cannot sign without it.
  toKindExtra: ({ facilitators: [advertised], contracts }) => ({
    facilitatorAddress: advertised,
    ...toPermit2Extra("upto", contracts),
  }),
  toPayment(network, payload, requirements, purpose) {
    return toPermit2Payment(purpose === "verify" ? uptoPermit2 : uptoSettlement, network, payload, requirements);
  },
};
