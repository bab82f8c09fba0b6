/**
 * The failure lab's cases: what each does wrong, where it is sent, and the word it ends with. Every one is a request to
 * the real server; the expected word is compared in tests and never shown in place of the server's.
 */
import type { LabKey } from "@/lib/messages/translateLab";
import { labPaths } from "@/lib/payflow/labPaths";
import {
  signAhead,
  signAmount,
  signExpired,
  signHighS,
  signOldProxy,
  signUnsponsored,
  signVersion1,
  signWrongChain,
  signWrongName,
  signWrongPayee,
} from "@/lib/payflow/tamper";
import type { Reason } from "@/lib/x402/reason";
import type { signPayment } from "@/lib/x402/signPayment";
import type { PaidCall } from "../exchange";

export type LabSetting = {
  /** Seconds by which the signer's clock is ahead. */
  skewSeconds: number;
  /** CAIP-2 id of a chain that is not the page's. */
  otherChain: string;
};

/** In what way a case goes beyond one payment that is signed wrongly. */
export type LabPlan = "pay" | "replay" | "approve" | "repeat" | "overcharge";

export type LabCase = {
  id: string;
  title: LabKey;
  text: LabKey;
  /** The word that it ends with; undefined where it ends well. */
  reason: Reason | undefined;
  plan: LabPlan;
  /** visitor: the connected account or the burner; stranger: a new account of the case's own, empty or funded. */
  payer: "visitor" | "emptyStranger" | "fundedStranger";
  /** Path of what is paid for: a resource of ours by its name, or one of the lab's. */
  resource: "block-digest" | "rpc" | (typeof labPaths)[keyof typeof labPaths];
  body?: unknown;
  sign?: (setting: LabSetting) => typeof signPayment;
};

const usual = { plan: "pay", payer: "visitor", resource: "block-digest" } as const;
/** A payee that nobody asked for. */
const wrongPayee = "0x000000000000000000000000000000000000dEaD";
const readCall = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] };
/** Calls that are answered with an error cost nothing. */
const failingCall = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: ["not an address"] };

export const labCases: readonly LabCase[] = [
  {
    ...usual,
    id: "wrong-domain",
    title: "lab.wrongDomain",
    text: "lab.wrongDomainText",
    reason: "invalid_exact_evm_signature",
    sign: () => signWrongName,
  },
  {
    ...usual,
    id: "expired",
    title: "lab.expired",
    text: "lab.expiredText",
    reason: "invalid_exact_evm_payload_authorization_valid_before",
    sign: () => signExpired(60),
  },
  {
    ...usual,
    id: "not-yet-valid",
    title: "lab.notYetValid",
    text: "lab.notYetValidText",
    reason: "invalid_exact_evm_payload_authorization_valid_after",
    sign: ({ skewSeconds }) => signAhead(skewSeconds),
  },
  {
    ...usual,
    id: "one-more",
    title: "lab.oneMore",
    text: "lab.oneMoreText",
    reason: "invalid_exact_evm_payload_authorization_value_mismatch",
    sign: () => signAmount(1n),
  },
  {
    ...usual,
    id: "one-less",
    title: "lab.oneLess",
    text: "lab.oneLessText",
    reason: "invalid_exact_evm_payload_authorization_value_mismatch",
    sign: () => signAmount(-1n),
  },
  {
    ...usual,
    id: "wrong-payee",
    title: "lab.wrongPayee",
    text: "lab.wrongPayeeText",
    reason: "invalid_exact_evm_recipient_mismatch",
    sign: () => signWrongPayee(wrongPayee),
  },
  {
    ...usual,
    id: "wrong-chain",
    title: "lab.wrongChain",
    text: "lab.wrongChainText",
    reason: "invalid_exact_evm_signature",
    sign: ({ otherChain }) => signWrongChain(otherChain),
  },
  {
    ...usual,
    id: "replay",
    title: "lab.replay",
    text: "lab.replayText",
    reason: "invalid_exact_evm_nonce_already_used",
    plan: "replay",
  },
  {
    ...usual,
    id: "high-s",
    title: "lab.highS",
    text: "lab.highSText",
    reason: "invalid_exact_evm_signature",
    sign: () => signHighS,
  },
  {
    ...usual,
    id: "empty-balance",
    title: "lab.emptyBalance",
    text: "lab.emptyBalanceText",
    reason: "insufficient_funds",
    payer: "emptyStranger",
  },
  {
    ...usual,
    id: "version-1",
    title: "lab.version1",
    text: "lab.version1Text",
    reason: "invalid_x402_version",
    sign: () => signVersion1,
  },
  {
    ...usual,
    id: "missing-allowance",
    title: "lab.missingAllowance",
    text: "lab.missingAllowanceText",
    reason: "permit2_allowance_required",
    plan: "approve",
    payer: "fundedStranger",
    resource: "rpc",
    body: readCall,
    sign: () => signUnsponsored,
  },
  {
    ...usual,
    id: "facilitator-error",
    title: "lab.facilitatorError",
    text: "lab.facilitatorErrorText",
    reason: "unexpected_error",
    resource: labPaths.facilitatorError,
  },
  {
    ...usual,
    id: "lost-answer",
    title: "lab.lostAnswer",
    text: "lab.lostAnswerText",
    reason: "settlement_pending",
    plan: "repeat",
    resource: labPaths.lostAnswer,
  },
  {
    ...usual,
    id: "upto-zero",
    title: "lab.uptoZero",
    text: "lab.uptoZeroText",
    reason: undefined,
    resource: "rpc",
    body: failingCall,
  },
  {
    ...usual,
    id: "upto-above",
    title: "lab.uptoAbove",
    text: "lab.uptoAboveText",
    reason: "invalid_upto_evm_payload_settlement_exceeds_amount",
    plan: "overcharge",
    resource: "rpc",
    body: readCall,
  },
  {
    ...usual,
    id: "upto-old-client",
    title: "lab.uptoOld",
    text: "lab.uptoOldText",
    reason: "invalid_permit2_spender",
    resource: "rpc",
    body: readCall,
    sign: () => signOldProxy,
  },
];

/** The request of a case on a network, by its name. */
export function toLabCall({ resource, body }: LabCase, network: string): PaidCall {
  const path = resource.startsWith("/") ? resource : `/api/paid/${resource}`;
  return {
    url: `${path}?network=${encodeURIComponent(network)}`,
    method: body === undefined ? "GET" : "POST",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}
