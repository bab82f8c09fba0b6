/**
 * Payments through Permit2, for both `exact` and `upto`. The payer signs a PermitWitnessTransferFrom that names the
 * scheme's proxy as the spender, and the relayer submits it to the proxy.
 */

import { type Abi, concatHex, decodeErrorResult, hashTypedData, numberToHex, toEventSelector } from "viem";
import { erc20Abi } from "@/lib/abi/erc20";
import { permit2Abi } from "@/lib/abi/permit2";
import { type Permit2Contracts, toProxy } from "@/lib/x402/permit2Contracts";
import type { Reason } from "@/lib/x402/reason";
import { usedReasons } from "@/lib/x402/rules/chainRules";
import type { PaymentRules } from "@/lib/x402/rules/paymentRules";
import type { PaymentTerms as RuleTerms } from "@/lib/x402/rules/paymentTerms";
import { toSignedPayment } from "@/lib/x402/signedPayment";
import { toPermit2Data } from "@/lib/x402/typedData";
import type { Hex, PaymentPayload, PaymentRequirements, Permit2Authorization } from "@/lib/x402/types";
import { parseEvmRequirements, parsePermit2Payload } from "@/lib/x402/wire";
import { PaymentError } from "@/server/x402/reads/error";
import type { Revert } from "@/server/x402/reads/jsonRpcError";
import { findLogTransaction } from "@/server/x402/reads/logs";
import { findSplitSignature } from "@/server/x402/reads/signature";
import { assertRules, findRuleError } from "@/server/x402/schemes/assertRules";
import { findTokenPermit, type TokenPermit } from "@/server/x402/schemes/gasSponsoring";
import type { Approval, Authorization, Payment, PaymentTerms, SchemeNetwork } from "@/server/x402/schemes/scheme";
import { assertIncludable, findAllowance, findApproval } from "@/server/x402/schemes/sponsoredApproval";
import {
  assertTransferred,
  hasTransferred,
  isSignedByPayer,
  toLower,
  toPaymentTerms,
  toTopic,
} from "@/server/x402/schemes/transfer";

/** The differences between the two schemes. */
export type Permit2Scheme = {
  name: "exact" | "upto";
  rules: PaymentRules;
  /** The proxy's ABI. It includes the proxy's and Permit2's errors. */
  proxyAbi: Abi;
  revertedReason: Reason;
  /** Encodes the call to the proxy's `settle` or, if the payment includes a token permit, to its `settleWithPermit`. */
  toCalldata(settled: {
    authorization: Permit2Authorization;
    signature: Hex;
    chargeUnits: bigint;
    tokenPermit: TokenPermit | undefined;
  }): Hex;
};

/** One payment with the inputs of its rules. */
type Permit2Transfer = {
  scheme: Permit2Scheme;
  network: SchemeNetwork;
  terms: PaymentTerms;
  ruleTerms: RuleTerms;
  payload: PaymentPayload;
  signature: Hex;
  authorization: Permit2Authorization;
  contracts: Permit2Contracts;
  /** For `upto`, the facilitator that the payer signed for. The proxy accepts a settlement only from this account. */
  sender: Hex | undefined;
};

/**
 * Creates a payment. With `isCharge`, the requirement's amount is the actual charge. Throws PaymentError or WireError.
 */
export function toPermit2Payment(
  scheme: Permit2Scheme,
  network: SchemeNetwork,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  isCharge = false,
): Payment {
  const evm = parseEvmRequirements(requirements);
  const { signature, permit2Authorization: authorization } = parsePermit2Payload(payload.payload);
  const signed = toSignedPayment({ signature, permit2Authorization: authorization });
  const { accepted } = payload;
  const { facilitators } = network;
  const contracts = { permit2: network.contracts.permit2, proxy: toProxy(scheme.name, network.contracts) };
  const ruleTerms = { required: requirements, accepted, signed, facilitators, contracts, isCharge };
  assertRules(scheme.rules.accepted, ruleTerms, {});

  const terms = toPaymentTerms(network, signed, {
    ...evm,
    scheme: scheme.name,
    amountUnits: signed.amountUnits,
    chargeUnits: BigInt(requirements.amount),
  });
  const sender = scheme.name === "upto" ? signed.permit?.facilitator && toLower(signed.permit.facilitator) : undefined;
  const transfer = { scheme, network, terms, ruleTerms, payload, signature, authorization, contracts, sender };

  return {
    terms,
    payload,
    ...(sender && { sender }),
    usedReason: usedReasons.permit2,
    simulationReason: "permit2_simulation_failed",
    revertedReason: scheme.revertedReason,
    authorize: () => authorize(transfer),
    findChainError: () => findChainError(transfer, true),
    explain: (revert) => explain(transfer, revert),
    isUsed: () => isUsed(transfer),
    findUse: () => findUse(transfer),
    isSettledBy: (receipt) => hasTransferred(terms, receipt),
    assertTransferred: (receipt) => assertTransferred(terms, receipt),
  };
}

async function authorize(transfer: Permit2Transfer): Promise<Authorization> {
  const { scheme, network, terms, ruleTerms, payload, signature, authorization, contracts, sender } = transfer;
  const { reader, chainId } = network;
  const { asset, payer, payee, chargeUnits } = terms;
  const nowSeconds = network.nowSeconds();
  // Faults in the payment itself are rejected before any network call.
  assertRules(scheme.rules.signed, ruleTerms, { nowSeconds });
  const [assetHasCode, payerHasCode, proxyHasCode] = await Promise.all([
    reader.isContract(asset),
    reader.hasCode(payer),
    reader.isContract(contracts.proxy),
  ]);
  assertRules(scheme.rules.signed, ruleTerms, { assetHasCode });
  const data = toPermit2Data(scheme.name, { chainId, permit2: contracts.permit2 }, authorization);
  const hash = hashTypedData(data as never);
  const isSigned = await isSignedByPayer(reader, { payer, payerHasCode, hash, signature });
  assertRules(scheme.rules.signed, ruleTerms, { signature: { signer: isSigned ? payer : undefined }, proxyHasCode });

  const tokenPermit = findTokenPermit(payload, terms, contracts.permit2, network.nowSeconds());
  const approval = tokenPermit ? undefined : await findNeededApproval(payload, terms, network);
  const calldata = scheme.toCalldata({
    authorization,
    signature: payerHasCode ? signature : toCanonicalSignature(signature),
    chargeUnits,
    tokenPermit,
  });
  // Permit2 does not log nonces, so two equal transfers in one transaction would be indistinguishable. Equal transfers
  // get the same key, so they never share a transaction.
  const batchKey = payerHasCode || sender ? undefined : `${asset} ${payer} ${payee} ${chargeUnits}`;
  return { call: { to: contracts.proxy, data: calldata }, batchKey, payerHasCode, approval };
}

async function isUsed({ network, terms, contracts }: Permit2Transfer): Promise<boolean> {
  const nonce = BigInt(terms.nonce);
  const args = [terms.payer, nonce >> 8n] as const;
  const bitmap = await network.reader.findValue(contracts.permit2, permit2Abi, "nonceBitmap", args);
  return bitmap !== undefined && ((bitmap >> (nonce & 0xffn)) & 1n) === 1n;
}

function findUse({ network: { reader }, terms, signature }: Permit2Transfer): Promise<Hex | undefined> {
  const topics = [toEventSelector("Transfer(address,address,uint256)"), toTopic(terms.payer), toTopic(terms.payee)];
  // Permit2 does not log nonces, so the payment is recognized by its signature in the transaction's input.
  const shown = toLower(signature).slice(2, 130);
  return findLogTransaction(reader, { address: terms.asset, topics }, async (transaction) =>
    ((await reader.findInput(transaction)) ?? "0x").toLowerCase().includes(shown),
  );
}

/**
 * Returns the payment's approval if the current allowance is too low. Throws PaymentError if the approval does not
 * match the payment.
 */
async function findNeededApproval(
  payload: PaymentPayload,
  terms: PaymentTerms,
  network: SchemeNetwork,
): Promise<Approval | undefined> {
  const approval = await findApproval(payload, terms, network);
  if (!approval) return undefined;
  const allowance = await findAllowance(network.reader, approval);
  if (allowance !== undefined && allowance >= approval.neededUnits) return undefined;
  await assertIncludable(approval, network);
  return approval;
}

/** Converts `v` to 27 or 28, because Permit2 accepts nothing else. */
function toCanonicalSignature(signature: Hex): Hex {
  const split = findSplitSignature(signature);
  return split ? concatHex([split.r, split.s, numberToHex(split.v)]) : signature;
}

const reasonByError: Record<string, Reason> = {
  InvalidOwner: "permit2_invalid_owner",
  InvalidDestination: "permit2_invalid_destination",
  PaymentTooEarly: "permit2_payment_too_early",
  InvalidNonce: "permit2_invalid_nonce",
  SignatureExpired: "permit2_deadline_expired",
  InvalidSigner: "invalid_permit2_signature",
  InvalidSignature: "invalid_permit2_signature",
  InvalidSignatureLength: "invalid_permit2_signature",
  InvalidContractSignature: "invalid_permit2_signature",
  InvalidAmount: "permit2_invalid_amount",
  Permit2612AmountMismatch: "permit2_2612_amount_mismatch",
  AmountExceedsPermitted: "upto_amount_exceeds_permitted",
  UnauthorizedFacilitator: "upto_unauthorized_facilitator",
};

/** Converts the permit to the form that both proxies accept. */
export function toPermit({ permitted, nonce, deadline }: Permit2Authorization) {
  return {
    permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  };
}

/**
 * Finds the first on-chain rule that the payment breaks. With `isSponsored`, an approval counts even if it isn't in a
 * block yet.
 */
async function findChainError(transfer: Permit2Transfer, isSponsored: boolean): Promise<PaymentError | undefined> {
  const { scheme, network, terms, ruleTerms, contracts } = transfer;
  const { reader } = network;
  const [nonceUsed, balanceUnits, allowanceUnits] = await Promise.all([
    isUsed(transfer),
    reader.findValue(terms.asset, erc20Abi, "balanceOf", [terms.payer]),
    reader.findValue(terms.asset, erc20Abi, "allowance", [terms.payer, contracts.permit2]),
  ]);
  // The payer must hold the full permitted amount, even if the charge is lower.
  const required = { ...ruleTerms.required, amount: terms.amountUnits.toString() };
  const facts = { nonceUsed, balanceUnits, allowanceUnits, isSponsored };
  return findRuleError(scheme.rules.settled, { ...ruleTerms, required }, facts);
}

async function explain(transfer: Permit2Transfer, revert: Revert): Promise<PaymentError> {
  const known = reasonByError[findErrorName(transfer.scheme.proxyAbi, revert.data) ?? ""];
  if (known) return new PaymentError(known);
  const message = revert.sentence
    ? `The Permit2 transfer reverted: ${revert.sentence}`
    : "The Permit2 transfer reverted without a reason.";
  return (await findChainError(transfer, false)) ?? new PaymentError("permit2_simulation_failed", message);
}

function findErrorName(abi: Abi, data: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi, data }).errorName;
  } catch {
    // The error may be the token's own, which isn't in the proxy's ABI.
    return undefined;
  }
}
