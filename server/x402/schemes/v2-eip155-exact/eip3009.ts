/**
 * The `exact` scheme through EIP-3009: the payer signs TransferWithAuthorization, and the relayer submits it to the
 * token.
 */
import { encodeFunctionData } from "viem";
import { erc3009Abi } from "@/lib/abi/erc3009";
import { tokenAbi } from "@/lib/abi/token";
import { usedReasons } from "@/lib/x402/rules/chainRules";
import { paymentRules } from "@/lib/x402/rules/paymentRules";
import { findTokenDomain, type PaymentTerms as RuleTerms } from "@/lib/x402/rules/paymentTerms";
import { findWrappedSignature } from "@/lib/x402/signatureForm";
import { toSignedPayment } from "@/lib/x402/signedPayment";
import type { Eip3009Payload, Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { parseEip3009Payload, parseEvmRequirements } from "@/lib/x402/wire";
import { PaymentError } from "@/server/x402/reads/error";
import type { Revert } from "@/server/x402/reads/jsonRpcError";
import { findLogTransaction } from "@/server/x402/reads/logs";
import type { Call } from "@/server/x402/reads/reader";
import { findInnerSignature, findSplitSignature } from "@/server/x402/reads/signature";
import { assertRules, findRuleError } from "@/server/x402/schemes/assertRules";
import type { Authorization, Payment, PaymentTerms, SchemeNetwork } from "@/server/x402/schemes/scheme";
import { assertTransferred, hasLog, isSignedByPayer, toPaymentTerms, toTopic } from "@/server/x402/schemes/transfer";
import { encodeSplitTransfer, hashTransfer } from "@/server/x402/schemes/v2-eip155-exact/transferAuthorization";

/** AuthorizationUsed(address,bytes32) */
const authorizationUsedTopic: Hex = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";

const rules = paymentRules["exact eip3009"];

/** One payment with the inputs of its rules. */
type Eip3009Payment = {
  network: SchemeNetwork;
  terms: PaymentTerms;
  ruleTerms: RuleTerms;
  domain: { name: string; version: string };
  payload: Eip3009Payload;
};

/** Throws PaymentError or WireError. */
export function toEip3009Payment(
  network: SchemeNetwork,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Payment {
  const { asset, payTo } = parseEvmRequirements(requirements);
  const parsed = parseEip3009Payload(payload.payload);
  const signed = toSignedPayment(parsed);
  const ruleTerms = { required: requirements, accepted: payload.accepted, signed, facilitators: network.facilitators };
  assertRules(rules.accepted, ruleTerms, {});

  const { reader } = network;
  const amountUnits = BigInt(requirements.amount);
  const terms = toPaymentTerms(network, signed, {
    scheme: "exact",
    asset,
    payTo,
    amountUnits,
    chargeUnits: amountUnits,
  });
  // The rules above ensure that the requirement has a token domain.
  const payment = { network, terms, ruleTerms, domain: findTokenDomain(requirements)!, payload: parsed };
  const topics = [authorizationUsedTopic, toTopic(terms.payer), terms.nonce];

  return {
    terms,
    payload,
    usedReason: usedReasons.eip3009,
    simulationReason: "invalid_exact_evm_transaction_simulation_failed",
    revertedReason: "invalid_exact_evm_transaction_failed",
    authorize: () => authorize(payment),
    findChainError: () => findChainError(payment),
    explain: (revert) => explain(payment, revert),
    isUsed: async () => (await findNonceUsed(payment)) === true,
    findUse: () => findLogTransaction(reader, { address: terms.asset, topics }),
    isSettledBy: (receipt) => hasLog(receipt, terms.asset, topics, "0x"),
    assertTransferred: (receipt) => assertTransferred(terms, receipt),
  };
}

async function authorize({ network, terms, ruleTerms, domain, payload }: Eip3009Payment): Promise<Authorization> {
  const { reader, chainId } = network;
  const { payer, asset } = terms;
  const [payerHasCode, assetHasCode] = await Promise.all([reader.hasCode(payer), reader.isContract(asset)]);
  const signature = toOwnSignature(payload.signature, payerHasCode);
  const hash = hashTransfer({ chainId, asset, ...domain }, payload.authorization);
  const isSigned = await isSignedByPayer(reader, { payer, payerHasCode, hash, signature });
  assertRules(rules.signed, ruleTerms, {
    payerHasCode,
    assetHasCode,
    signature: { signer: isSigned ? payer : undefined },
    nowSeconds: network.nowSeconds(),
  });
  const call = toCall(terms, payload.authorization, signature, payerHasCode);
  // If the payer is a contract, its own code validates the signature. That code could use up the gas of a whole batch,
  // so the call isn't batched.
  return { call, payerHasCode, batchKey: payerHasCode ? undefined : `${payer} ${terms.nonce}` };
}

/**
 * Extracts a deployed wallet's signature from an ERC-6492 wrapper. If the wallet isn't deployed, the wrapper stays, and
 * the rules reject it, because the facilitator never deploys wallets.
 */
function toOwnSignature(signature: Hex, payerHasCode: boolean): Hex {
  const wrapped = findWrappedSignature(signature);
  if (wrapped === undefined || !payerHasCode) return signature;
  const inner = findInnerSignature(wrapped);
  if (!inner) throw new PaymentError("invalid_exact_evm_signature", "The ERC-6492 wrapper is malformed.");
  return inner;
}

function toCall(
  terms: PaymentTerms,
  authorization: Eip3009Payload["authorization"],
  signature: Hex,
  payerHasCode: boolean,
): Call {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const split = findSplitSignature(signature);
  // Every EIP-3009 token has the function that takes `v`, `r` and `s` separately. Payers that are contracts need the
  // newer one, which takes the whole signature.
  if (split && !payerHasCode) return { to: terms.asset, data: encodeSplitTransfer(authorization, split) };
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const;
  return {
    to: terms.asset,
    data: encodeFunctionData({ abi: erc3009Abi, functionName: "transferWithAuthorization", args }),
  };
}

/** Whether the nonce was used; undefined if the asset does not support EIP-3009. */
function findNonceUsed({ network, terms }: Eip3009Payment): Promise<boolean | undefined> {
  return network.reader.findValue(terms.asset, erc3009Abi, "authorizationState", [terms.payer, terms.nonce]);
}

/** USDC's revert messages. Other tokens' messages are unknown. */
const revertReasons: [RegExp, PaymentError["reason"]][] = [
  [/authorization is used or canceled/i, usedReasons.eip3009],
  [/authorization is expired/i, "invalid_exact_evm_payload_authorization_valid_before"],
  [/authorization is not yet valid/i, "invalid_exact_evm_payload_authorization_valid_after"],
  [/exceeds balance/i, "insufficient_funds"],
];

async function findChainError(payment: Eip3009Payment): Promise<PaymentError | undefined> {
  const { network, terms, ruleTerms } = payment;
  const { reader } = network;
  const [nonceUsed, tokenName, tokenVersion, balanceUnits] = await Promise.all([
    findNonceUsed(payment),
    reader.findValue(terms.asset, tokenAbi, "name", []),
    reader.findValue(terms.asset, tokenAbi, "version", []),
    reader.findValue(terms.asset, tokenAbi, "balanceOf", [terms.payer]),
  ]);
  const facts = { hasEip3009: nonceUsed !== undefined, nonceUsed, tokenName, tokenVersion, balanceUnits };
  return findRuleError(rules.settled, ruleTerms, facts);
}

async function explain(payment: Eip3009Payment, revert: Revert): Promise<PaymentError> {
  const broken = await findChainError(payment);
  if (broken) return broken;
  const known = revertReasons.find(([words]) => words.test(revert.sentence));
  if (known) return new PaymentError(known[1]);
  return new PaymentError(
    "invalid_exact_evm_transaction_simulation_failed",
    revert.sentence ? `The token reverted: ${revert.sentence}` : "The token reverted without a reason.",
  );
}
