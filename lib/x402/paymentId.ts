/** A payment's id, the same for everyone who sees its authorization: payer, page and facilitator. */
import { encodeAbiParameters, keccak256 } from "viem";
import type { Hex } from "@/lib/x402/types";

const parameters = [{ type: "string" }, { type: "address" }, { type: "address" }, { type: "bytes32" }] as const;

/**
 * Stable id of a payment: repeating an authorization means the same payment. The network is a CAIP-2 id; a Permit2
 * nonce is its number in 32 bytes.
 */
export function toPaymentId({
  network,
  asset,
  payer,
  nonce,
}: {
  network: string;
  asset: Hex;
  payer: Hex;
  nonce: Hex;
}): Hex {
  return keccak256(encodeAbiParameters(parameters, [network, asset, payer, nonce]));
}
