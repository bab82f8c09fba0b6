/**
 * Payments through Permit2, shared by exact and upto: the payer signs PermitWitnessTransferFrom for the scheme's proxy,
 * and the relayer submits it there. The checks follow the order of the reference facilitator.
 */

import { type Abi, concatHex, decodeErrorResult, hashTypedData, numberToHex, toEventSelector } from "viem";
import { erc20Abi } from "@/lib/abi/erc20";
import { permit2Abi } from "@/lib/abi/permit2";
import { toProxy } from "@/lib/x402/permit2Contracts";
import { expiryMarginSeconds, isExpired, isTooEarly } from "@/lib/x402/rules";
import { toPermit2Data } from "@/lib/x402/typedData";
import type { Hex, PaymentPayload, PaymentRequirements, Permit2Authorization } from "@/lib/x402/types";
import { parseEvmRequirements, parsePermit2Payload } from "@/lib/x402/wire";
import { PaymentError } from "@/server/x402/reads/error";
import type { Revert } from "@/server/x402/reads/jsonRpcError";
import { findLogTransaction } from "@/server/x402/reads/logs";
import { findSplitSignature, isSignedByContract, isSignedByKey } from "@/server/x402/reads/signature";
import { findTokenPermit, type TokenPermit } from "@/server/x402/schemes/gasSponsoring";
import type { Approval, Payment, PaymentTerms, SchemeNetwork } from "@/server/x402/schemes/scheme";
import { assertIncludable, findAllowance, findApproval } from "@/server/x402/schemes/sponsoredApproval";
import { assertTransferred, hasTransferred, toLower, toSafeSeconds, toTopic } from "@/server/x402/schemes/transfer";

type Reason = PaymentError["reason"];

/** The proxy contract that client libraries 2.9 to 2.11 used; it was abandoned. */
const abandonedProxy = "0x402039b3d6e6bec5a02c2c9fd937ac17a6940002";

/** The differences between the two schemes. */
export type Permit2Scheme = {
  name: "exact" | "upto";
  /** Includes the errors of the proxy and of Permit2. */
  proxyAbi: Abi;
  schemeReason: Reason;
  networkReason: Reason;
  revertedReason: Reason;
  /** Units to move, from the requirement's amount. */
  toCharge(authorization: Permit2Authorization, requirements: PaymentRequirements): bigint;
  /** Throws PaymentError if the witness contains something that the scheme does not allow. */
  assertWitness(authorization: Permit2Authorization, network: SchemeNetwork): void;
  /** Throws PaymentError if the permitted amount is wrong. */
  assertAmount(authorization: Permit2Authorization, requirements: PaymentRequirements): void;
  /** Calldata of the proxy's settle, or of settleWithPermit if the payment carries a token permit. */
  toCalldata(settled: {
    authorization: Permit2Authorization;
    signature: Hex;
    chargeUnits: bigint;
    tokenPermit: TokenPermit | undefined;
  }): Hex;
};

/** Throws PaymentError or WireError. */
export function toPermit2Payment(
  scheme: Permit2Scheme,
  network: SchemeNetwork,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Payment {
  const { asset, payTo } = parseEvmRequirements(requirements);
  const { signature, permit2Authorization: authorization } = parsePermit2Payload(payload.payload);
  if (payload.accepted.scheme !== requirements.scheme) throw new PaymentError(scheme.schemeReason);
  if (payload.accepted.network !== requirements.network) throw new PaymentError(scheme.networkReason);

  const { reader, chainId, contracts } = network;
  const { permit2 } = contracts;
  const proxy = toProxy(scheme.name, contracts);
  const terms: PaymentTerms = {
    network: network.caip2,
    scheme: scheme.name,
    asset: toLower(asset),
    payer: toLower(authorization.from),
    payee: toLower(payTo),
    amountUnits: BigInt(authorization.permitted.amount),
    chargeUnits: scheme.toCharge(authorization, requirements),
    nonce: numberToHex(BigInt(authorization.nonce), { size: 32 }),
    validBefore: toSafeSeconds(authorization.deadline),
  };

  // The upto proxy accepts a settlement only from the facilitator that the payer named.
  const sender = scheme.name === "upto" ? authorization.witness.facilitator : undefined;

  return {
    terms,
    payload,
    ...(sender && { sender: toLower(sender) }),
    usedReason: "permit2_invalid_nonce",
    simulationReason: "permit2_simulation_failed",
    revertedReason: scheme.revertedReason,

    async authorize() {
      assertSpender(proxy, authorization);
      if (toLower(authorization.witness.to) !== terms.payee) {
        throw new PaymentError("invalid_permit2_recipient_mismatch");
      }
      scheme.assertWitness(authorization, network);
      assertTimely(authorization, network.nowSeconds());
      scheme.assertAmount(authorization, requirements);
      if (toLower(authorization.permitted.token) !== terms.asset) throw new PaymentError("permit2_token_mismatch");
      const [assetHasCode, payerHasCode, proxyHasCode] = await Promise.all([
        reader.isContract(terms.asset),
        reader.hasCode(terms.payer),
        reader.isContract(proxy),
      ]);
      if (!assetHasCode) throw new PaymentError("asset_not_deployed_contract");
      const hash = hashTypedData(toPermit2Data(scheme.name, { chainId, permit2 }, authorization) as never);
      const signed = payerHasCode
        ? await isSignedByContract(reader, terms.payer, hash, signature)
        : await isSignedByKey(terms.payer, hash, signature);
      if (!signed) throw new PaymentError("invalid_permit2_signature");
      // A call to an address without code succeeds and moves nothing.
      if (!proxyHasCode) throw new PaymentError("permit2_proxy_not_deployed");
      const earliestDeadline = BigInt(network.nowSeconds() + expiryMarginSeconds);
      const tokenPermit = findTokenPermit(payload, terms, permit2, earliestDeadline);
      const approval = tokenPermit ? undefined : await findNeededApproval(payload, terms, network);
      const data = scheme.toCalldata({
        authorization,
        signature: payerHasCode ? signature : toCanonicalSignature(signature),
        chargeUnits: terms.chargeUnits,
        tokenPermit,
      });
      const { asset, payer, payee, chargeUnits } = terms;
      // Permit2 does not log nonces, so equal transfers in one transaction could not be told apart.
      const batchKey = payerHasCode || sender ? undefined : `${asset} ${payer} ${payee} ${chargeUnits}`;
      return { call: { to: proxy, data }, batchKey, approval };
    },

    explain: (revert) => explain(scheme, network, terms, revert),

    async isUsed() {
      const nonce = BigInt(terms.nonce);
      const bitmap = await reader.findValue(permit2, permit2Abi, "nonceBitmap", [terms.payer, nonce >> 8n]);
      return bitmap !== undefined && ((bitmap >> (nonce & 0xffn)) & 1n) === 1n;
    },

    findUse() {
      const topics = [toEventSelector("Transfer(address,address,uint256)"), toTopic(terms.payer), toTopic(terms.payee)];
      // Permit2 does not log nonces, but the input of a transaction that carried this payment contains its signature.
      const shown = toLower(signature).slice(2, 130);
      return findLogTransaction(reader, { address: terms.asset, topics }, async (transaction) =>
        ((await reader.findInput(transaction)) ?? "0x").toLowerCase().includes(shown),
      );
    },

    isSettledBy: (receipt) => hasTransferred(terms, receipt),
    assertTransferred: (receipt) => assertTransferred(terms, receipt),
  };
}

/**
 * The payment's approval, if the allowance is too low without it. Throws PaymentError if it does not match the payment.
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

function assertSpender(proxy: Hex, { spender }: Permit2Authorization): void {
  if (toLower(spender) === toLower(proxy)) return;
  throw new PaymentError(
    "invalid_permit2_spender",
    toLower(spender) === abandonedProxy
      ? "The permit is for a proxy of client libraries 2.9 to 2.11; use 2.12 or later."
      : `The permit's spender must be ${proxy}.`,
  );
}

function assertTimely({ deadline, witness }: Permit2Authorization, nowSeconds: number): void {
  if (isExpired(BigInt(deadline), nowSeconds)) throw new PaymentError("permit2_deadline_expired");
  if (isTooEarly(BigInt(witness.validAfter), nowSeconds)) throw new PaymentError("permit2_not_yet_valid");
}

/** Permit2 accepts only a v of 27 or 28. */
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

/** The permit in the form that both proxies accept. */
export function toPermit({ permitted, nonce, deadline }: Permit2Authorization) {
  return {
    permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  };
}

async function explain(
  scheme: Permit2Scheme,
  { reader, contracts }: SchemeNetwork,
  terms: PaymentTerms,
  revert: Revert,
): Promise<PaymentError> {
  const known = reasonByError[findErrorName(scheme.proxyAbi, revert.data) ?? ""];
  if (known) return new PaymentError(known);
  const [balance, allowance] = await Promise.all([
    reader.findValue(terms.asset, erc20Abi, "balanceOf", [terms.payer]),
    reader.findValue(terms.asset, erc20Abi, "allowance", [terms.payer, contracts.permit2]),
  ]);
  if (balance !== undefined && balance < terms.amountUnits) {
    return new PaymentError("insufficient_funds", `The payer holds ${balance} of ${terms.amountUnits} units.`, {
      code: "permit2_insufficient_balance",
    });
  }
  if (allowance !== undefined && allowance < terms.amountUnits) return new PaymentError("permit2_allowance_required");
  return new PaymentError(
    "permit2_simulation_failed",
    revert.sentence ? `The contracts answer: ${revert.sentence}` : "The contracts revert without a sentence.",
  );
}

function findErrorName(abi: Abi, data: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi, data }).errorName;
  } catch {
    // An error of the token, which these contracts' ABIs do not include.
    return undefined;
  }
}
