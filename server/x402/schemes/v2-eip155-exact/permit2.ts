/**
 * exact by Permit2, for tokens without EIP-3009: what is permitted is precisely what is moved, and anyone may settle.
 */
import { encodeFunctionData } from "viem";
import { exactProxyAbi, exactProxyAddress } from "@/lib/abi/x402Proxies";
import { PaymentError } from "@/server/x402/error";
import type { Permit2Scheme } from "@/server/x402/schemes/permit2";

export const exactPermit2: Permit2Scheme = {
  name: "exact",
  proxy: exactProxyAddress,
  proxyAbi: exactProxyAbi,
  schemeReason: "unsupported_payload_type",
  networkReason: "invalid_exact_evm_network_mismatch",
  revertedReason: "invalid_exact_evm_transaction_failed",
  toCharge: (_, requirements) => BigInt(requirements.amount),
  assertWitness: () => undefined,
  assertAmount({ permitted }, requirements) {
    if (BigInt(permitted.amount) !== BigInt(requirements.amount)) throw new PaymentError("permit2_amount_mismatch");
  },
  toCalldata({ permitted, nonce, deadline, from, witness }, signature) {
    const permit = {
      permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
    };
    const bound = { to: witness.to, validAfter: BigInt(witness.validAfter) };
    return encodeFunctionData({ abi: exactProxyAbi, functionName: "settle", args: [permit, from, bound, signature] });
  },
};
