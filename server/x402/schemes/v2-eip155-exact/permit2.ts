/**
 * exact by Permit2, for tokens without EIP-3009: exactly the permitted amount is moved, and anyone may settle.
 */
import { encodeFunctionData } from "viem";
import { exactProxyAbi } from "@/lib/abi/x402Proxies";
import { PaymentError } from "@/server/x402/reads/error";
import { type Permit2Scheme, toPermit } from "@/server/x402/schemes/permit2";

export const exactPermit2: Permit2Scheme = {
  name: "exact",
  proxyAbi: exactProxyAbi,
  schemeReason: "unsupported_payload_type",
  networkReason: "invalid_exact_evm_network_mismatch",
  revertedReason: "invalid_exact_evm_transaction_failed",
  toCharge: (_, requirements) => BigInt(requirements.amount),
  assertWitness: () => undefined,
  assertAmount({ permitted }, requirements) {
    if (BigInt(permitted.amount) !== BigInt(requirements.amount)) throw new PaymentError("permit2_amount_mismatch");
  },
  toCalldata({ authorization, signature, tokenPermit }) {
    const { from, witness } = authorization;
    const bound = { to: witness.to, validAfter: BigInt(witness.validAfter) };
    const args = [toPermit(authorization), from, bound, signature] as const;
    return tokenPermit
      ? encodeFunctionData({ abi: exactProxyAbi, functionName: "settleWithPermit", args: [tokenPermit, ...args] })
      : encodeFunctionData({ abi: exactProxyAbi, functionName: "settle", args });
  },
};
