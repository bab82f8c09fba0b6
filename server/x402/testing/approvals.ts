/**
 * Creates payments that include the payer's signed approval of Permit2, valid except for the requested changes.
 * Invariant: without changes, the approval is the same one that the published client would sign.
 */
import { encodeFunctionData, type Hex, maxUint256, type TransactionSerializable } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { erc20Abi } from "@/lib/abi/erc20";
import { canonicalContracts } from "@/lib/contracts";
import { findChainId } from "@/lib/x402/signPayment";
import type { PaymentPayload, PaymentRequirements, SponsoredApproval } from "@/lib/x402/types";
import { approvalSponsoringKey } from "@/server/x402/schemes/sponsoringDeclarations";
import { type Permit2Changes, toPermit2Payment } from "@/server/x402/testing/testbed";

export type ApprovalChanges = {
  /** Changes to the signed transaction. */
  transaction?: Partial<TransactionSerializable>;
  /** Signs the approval; by default, the payer does. */
  signer?: PrivateKeyAccount;
  signed?: (raw: Hex) => Hex;
  /** Changes to the extension's info. */
  info?: Partial<Record<keyof SponsoredApproval, unknown>>;
  payment?: Permit2Changes;
};

/** Encodes a call to the token's `approve`. */
export function toApproval(spender: Hex, units: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, units] });
}

/** Creates a payment through Permit2 for a payer who hasn't approved Permit2 yet. */
export async function toApprovedPayment(
  payer: PrivateKeyAccount,
  wanted: PaymentRequirements,
  { transaction, signer = payer, signed = (raw) => raw, info, payment }: ApprovalChanges = {},
): Promise<PaymentPayload> {
  const { permit2 } = canonicalContracts;
  const raw = await signer.signTransaction({
    type: "eip1559",
    chainId: findChainId(wanted.network) ?? 0,
    nonce: 0,
    to: wanted.asset as Hex,
    data: toApproval(permit2, maxUint256),
    gas: 70_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...transaction,
  } as never);
  const right: SponsoredApproval = {
    from: payer.address,
    asset: wanted.asset as Hex,
    spender: permit2,
    amount: maxUint256.toString(),
    signedTransaction: signed(raw),
    version: "1",
  };
  return {
    ...(await toPermit2Payment(payer, wanted, payment)),
    extensions: { [approvalSponsoringKey]: { info: { ...right, ...info } } },
  };
}
