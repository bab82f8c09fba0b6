/**
 * Signs EIP-3009 and EIP-2612 messages in the contract tests, with the same fields that payers sign.
 * lib/x402/typedData.test.ts compares those fields with the public contracts' type hashes.
 */
import { type Hex, parseSignature, serializeSignature } from "viem";
import { authorizationFields, permitFields } from "@/lib/x402/typedData";
import type { TestAccount } from "@/server/contracts/testing/anvilChain";

export type Domain = { name: string; version: string; chainId: number; verifyingContract: Hex };
export type Authorization = {
  from: Hex;
  to: Hex;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
};

export function signTransfer(signer: TestAccount, domain: Domain, message: Authorization): Promise<Hex> {
  const types = { TransferWithAuthorization: authorizationFields };
  return signer.signTypedData({ domain, types, primaryType: "TransferWithAuthorization", message });
}

export function signReceive(signer: TestAccount, domain: Domain, message: Authorization): Promise<Hex> {
  const types = { ReceiveWithAuthorization: authorizationFields };
  return signer.signTypedData({ domain, types, primaryType: "ReceiveWithAuthorization", message });
}

export function signCancel(
  signer: TestAccount,
  domain: Domain,
  message: { authorizer: Hex; nonce: Hex },
): Promise<Hex> {
  const types = {
    CancelAuthorization: [
      { name: "authorizer", type: "address" },
      { name: "nonce", type: "bytes32" },
    ],
  } as const;
  return signer.signTypedData({ domain, types, primaryType: "CancelAuthorization", message });
}

export function signPermit(
  signer: TestAccount,
  domain: Domain,
  message: { owner: Hex; spender: Hex; value: bigint; nonce: bigint; deadline: bigint },
): Promise<Hex> {
  const types = { Permit: permitFields };
  return signer.signTypedData({ domain, types, primaryType: "Permit", message });
}

/** A signature as the three arguments v, r, s. */
export function toVrs(signature: Hex): readonly [number, Hex, Hex] {
  const { r, s, yParity } = parseSignature(signature);
  return [27 + yParity, r, s];
}

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature that is valid for the same message and key. Its s is in the upper half of the curve order. */
export function toHighS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const highS = (curveOrder - BigInt(s)).toString(16).padStart(64, "0");
  return serializeSignature({ r, s: `0x${highS}`, yParity: 1 - yParity });
}
