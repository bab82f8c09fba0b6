/**
 * Computes a payment's ID. Anyone who sees the authorization can compute it: the payer, the page and the facilitator.
 */
import { encodeAbiParameters, keccak256 } from "viem";
import type { Hex } from "@/lib/x402/types";

const parameters = [{ type: "string" }, { type: "address" }, { type: "address" }, { type: "bytes32" }] as const;

/**
 * The stable ID of a payment. The same authorization always has the same ID. `network` is a CAIP-2 ID; a Permit2 nonce
 * is encoded as 32 bytes.
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
