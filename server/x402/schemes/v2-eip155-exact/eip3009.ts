/**
 * exact by EIP-3009: the payer signs TransferWithAuthorization and the relayer submits it to the token. The checks
 * follow the order of the reference facilitator, so that a payment with two faults gets the same reason everywhere.
 */

import { encodeFunctionData } from "viem";
import { erc3009Abi } from "@/lib/abi/erc3009";
import { tokenAbi } from "@/lib/abi/token";
import { isExpired, isTooEarly } from "@/lib/x402/rules";
import type { Eip3009Payload, Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { parseEip3009Payload, parseEvmRequirements } from "@/lib/x402/wire";
import { PaymentError } from "@/server/x402/reads/error";
import type { Revert } from "@/server/x402/reads/jsonRpcError";
import { findLogTransaction } from "@/server/x402/reads/logs";
import type { Call } from "@/server/x402/reads/reader";
import {
  findInnerSignature,
  findSplitSignature,
  isDeployingSignature,
  isSignedByContract,
  isSignedByKey,
} from "@/server/x402/reads/signature";
import type { Payment, PaymentTerms, SchemeNetwork } from "@/server/x402/schemes/scheme";
import { assertTransferred, hasLog, toLower, toSafeSeconds, toTopic } from "@/server/x402/schemes/transfer";
import { encodeSplitTransfer, hashTransfer } from "@/server/x402/schemes/v2-eip155-exact/transferAuthorization";

/** AuthorizationUsed(address,bytes32) */
const authorizationUsedTopic: Hex = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";

/** Throws PaymentError or WireError. */
export function toEip3009Payment(
  network: SchemeNetwork,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Payment {
  const { asset, payTo } = parseEvmRequirements(requirements);
  const { signature, authorization } = parseEip3009Payload(payload.payload);
  assertSameScheme(payload, requirements);
  const domain = getTokenDomain(requirements);
  assertSameNetwork(payload, requirements);

  const { reader } = network;
  const terms: PaymentTerms = {
    network: network.caip2,
    scheme: "exact",
    asset: toLower(asset),
    payer: toLower(authorization.from),
    payee: toLower(payTo),
    amountUnits: BigInt(requirements.amount),
    chargeUnits: BigInt(requirements.amount),
    nonce: toLower(authorization.nonce),
    validBefore: toSafeSeconds(authorization.validBefore),
  };

  return {
    terms,
    payload,
    usedReason: "invalid_exact_evm_nonce_already_used",
    simulationReason: "invalid_exact_evm_transaction_simulation_failed",
    revertedReason: "invalid_exact_evm_transaction_failed",

    async authorize() {
      const [payerHasCode, assetHasCode] = await Promise.all([
        reader.hasCode(terms.payer),
        reader.isContract(terms.asset),
      ]);
      const hash = hashTransfer({ chainId: network.chainId, asset, ...domain }, authorization);
      const own = toOwnSignature(signature, payerHasCode);
      const signed = payerHasCode
        ? await isSignedByContract(reader, terms.payer, hash, own)
        : await isSignedByKey(terms.payer, hash, own);
      if (!signed) throw new PaymentError("invalid_exact_evm_signature");
      assertRecipient(authorization, terms);
      assertTimely(authorization, network.nowSeconds());
      assertExactValue(authorization, requirements);
      if (!assetHasCode) throw new PaymentError("asset_not_deployed_contract");
      const call = toCall(terms, authorization, own, payerHasCode);
      // The token asks a payer with code to check its signature, and that code may use all the gas.
      return { call, batchKey: payerHasCode ? undefined : `${terms.payer} ${terms.nonce}` };
    },

    explain: (revert) => explain(network, terms, domain, revert),

    async isUsed() {
      return (
        (await reader.findValue(terms.asset, erc3009Abi, "authorizationState", [terms.payer, terms.nonce])) === true
      );
    },

    findUse() {
      const topics = [authorizationUsedTopic, toTopic(terms.payer), terms.nonce];
      return findLogTransaction(reader, { address: terms.asset, topics });
    },

    isSettledBy(receipt) {
      return hasLog(receipt, terms.asset, [authorizationUsedTopic, toTopic(terms.payer), terms.nonce], "0x");
    },

    assertTransferred: (receipt) => assertTransferred(terms, receipt),
  };
}

function assertSameScheme(payload: PaymentPayload, requirements: PaymentRequirements): void {
  if (payload.accepted.scheme !== requirements.scheme) throw new PaymentError("invalid_exact_evm_scheme");
}

function getTokenDomain(requirements: PaymentRequirements): { name: string; version: string } {
  const name = requirements.extra?.name;
  const version = requirements.extra?.version;
  if (typeof name !== "string" || typeof version !== "string" || !name || !version) {
    throw new PaymentError("invalid_exact_evm_missing_eip712_domain");
  }
  return { name, version };
}

function assertSameNetwork(payload: PaymentPayload, requirements: PaymentRequirements): void {
  if (payload.accepted.network !== requirements.network) throw new PaymentError("invalid_exact_evm_network_mismatch");
}

/** Takes the payer's signature out of an ERC-6492 wrapper. We never deploy wallets, so no factory is allowed. */
function toOwnSignature(signature: Hex, payerHasCode: boolean): Hex {
  if (!isDeployingSignature(signature)) return signature;
  if (!payerHasCode) throw new PaymentError("invalid_exact_evm_payload_undeployed_smart_wallet");
  const inner = findInnerSignature(signature);
  if (!inner) throw new PaymentError("invalid_exact_evm_signature", "The ERC-6492 wrapper is malformed.");
  return inner;
}

function assertRecipient(authorization: Eip3009Payload["authorization"], terms: PaymentTerms): void {
  if (toLower(authorization.to) !== terms.payee) throw new PaymentError("invalid_exact_evm_recipient_mismatch");
}

function assertTimely(authorization: Eip3009Payload["authorization"], nowSeconds: number): void {
  if (isExpired(BigInt(authorization.validBefore), nowSeconds)) {
    throw new PaymentError("invalid_exact_evm_payload_authorization_valid_before");
  }
  if (isTooEarly(BigInt(authorization.validAfter), nowSeconds)) {
    throw new PaymentError("invalid_exact_evm_payload_authorization_valid_after");
  }
}

function assertExactValue(authorization: Eip3009Payload["authorization"], requirements: PaymentRequirements): void {
  if (BigInt(authorization.value) !== BigInt(requirements.amount)) {
    throw new PaymentError(
      "invalid_exact_evm_payload_authorization_value_mismatch",
      `The authorized value is ${BigInt(authorization.value)}, the required amount ${BigInt(requirements.amount)}.`,
    );
  }
}

function toCall(
  terms: PaymentTerms,
  authorization: Eip3009Payload["authorization"],
  signature: Hex,
  payerHasCode: boolean,
): Call {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const split = findSplitSignature(signature);
  // Every EIP-3009 token has the split form; only the later form supports contract payers.
  if (split && !payerHasCode) return { to: terms.asset, data: encodeSplitTransfer(authorization, split) };
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const;
  return {
    to: terms.asset,
    data: encodeFunctionData({ abi: erc3009Abi, functionName: "transferWithAuthorization", args }),
  };
}

/** USDC's revert messages; for other tokens, each possible cause is checked. */
const revertReasons: [RegExp, PaymentError["reason"]][] = [
  [/authorization is used or canceled/i, "invalid_exact_evm_nonce_already_used"],
  [/authorization is expired/i, "invalid_exact_evm_payload_authorization_valid_before"],
  [/authorization is not yet valid/i, "invalid_exact_evm_payload_authorization_valid_after"],
  [/exceeds balance/i, "insufficient_funds"],
];

async function explain(
  { reader }: SchemeNetwork,
  terms: PaymentTerms,
  domain: { name: string; version: string },
  revert: Revert,
): Promise<PaymentError> {
  const [used, name, version, balance] = await Promise.all([
    reader.findValue(terms.asset, erc3009Abi, "authorizationState", [terms.payer, terms.nonce]),
    reader.findValue(terms.asset, tokenAbi, "name", []),
    reader.findValue(terms.asset, tokenAbi, "version", []),
    reader.findValue(terms.asset, tokenAbi, "balanceOf", [terms.payer]),
  ]);
  if (used === undefined) return new PaymentError("invalid_exact_evm_eip3009_not_supported");
  if (used) return new PaymentError("invalid_exact_evm_nonce_already_used");
  if (name !== undefined && name !== domain.name) return new PaymentError("invalid_exact_evm_token_name_mismatch");
  if (version !== undefined && version !== domain.version) {
    return new PaymentError("invalid_exact_evm_token_version_mismatch");
  }
  if (balance !== undefined && balance < terms.amountUnits) {
    return new PaymentError("insufficient_funds", `The payer holds ${balance} of ${terms.amountUnits} units.`);
  }
  const known = revertReasons.find(([words]) => words.test(revert.sentence));
  if (known) return new PaymentError(known[1]);
  return new PaymentError(
    "invalid_exact_evm_transaction_simulation_failed",
    revert.sentence ? `The token answers: ${revert.sentence}` : "The token reverts without a sentence.",
  );
}
