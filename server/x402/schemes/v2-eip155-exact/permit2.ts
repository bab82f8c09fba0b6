/**
 * The `exact` scheme through Permit2, for tokens without EIP-3009. A settlement moves exactly the permitted amount, and
 * anyone may submit it.
 */
import { encodeFunctionData } from "viem";
import { exactProxyAbi } from "@/lib/abi/x402Proxies";
import { paymentRules } from "@/lib/x402/rules/paymentRules";
import { type Permit2Scheme, toPermit } from "@/server/x402/schemes/permit2";

export const exactPermit2: Permit2Scheme = {
  name: "exact",
  proxyAbi: exactProxyAbi,
  rules: paymentRules["exact permit2"],
  revertedReason: "invalid_exact_evm_transaction_failed",
  toCalldata({ authorization, signature, tokenPermit }) {
    const { from, witness } = authorization;
    const bound = { to: witness.to, validAfter: BigInt(witness.validAfter) };
    const args = [toPermit(authorization), from, bound, signature] as const;
    return tokenPermit
      ? encodeFunctionData({ abi: exactProxyAbi, functionName: "settleWithPermit", args: [tokenPermit, ...args] })
      : encodeFunctionData({ abi: exactProxyAbi, functionName: "settle", args });
  },
};
