/**
 * The failure lab's cases. Each one has a mistake, a resource and an expected error. After a case has run, the page
 * shows the error that the real server returned instead.
 */
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
  /** How many seconds the signer's clock is ahead. */
  skewSeconds: number;
  /** The CAIP-2 ID of a chain other than the page's chain. */
  otherChain: string;
};

/**
 * How a case runs.
 * - `pay`: sends one payment.
 * - `replay`: sends a payment, and then sends it again.
 * - `approve`: sends a payment, and offers to approve Permit2 and resend the payment.
 * - `repeat`: sends a payment, and offers to resend it.
 * - `overcharge`: tries to settle more than the payer permitted.
 */
type LabPlan = "pay" | "replay" | "approve" | "repeat" | "overcharge";

export type LabCase = {
  id: string;
  group: (typeof labGroups)[number]["name"];
  /** In the title and the text, code is between backticks. */
  title: string;
  text: string;
  /** The expected error. Undefined if the payment succeeds. */
  reason: Reason | undefined;
  plan: LabPlan;
  /** `visitor` is the connected account or the burner. A stranger is a new account, with or without funds. */
  payer: "visitor" | "emptyStranger" | "fundedStranger";
  /** The name of a paid resource on this node, or a lab path. */
  resource: "block-digest" | "rpc" | (typeof labPaths)[keyof typeof labPaths];
  body?: unknown;
  sign?: (setting: LabSetting) => typeof signPayment;
};

const usual = { plan: "pay", payer: "visitor", resource: "block-digest" } as const;
/** An address that isn't the payTo of any requirement. */
const wrongPayee = "0x000000000000000000000000000000000000dEaD";
const readCall = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] };
/** A JSON-RPC call that fails, so the server doesn't charge for it. */
const failingCall = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: ["not an address"] };

/** The groups of cases, by what they break, in the page's order. */
export const labGroups = [
  { name: "amount", title: "Amount", text: "The amount must match the price, and the payer’s balance must cover it." },
  { name: "time", title: "Time", text: "A payment is valid only between `validAfter` and `validBefore`." },
  { name: "signature", title: "Signature", text: "The signature must recover to the payer." },
  { name: "nonce", title: "Nonce", text: "An authorization can be settled only once." },
  {
    name: "terms",
    title: "Network and terms",
    text: "The chain, payee, version and contract must match the requirements.",
  },
  { name: "settlement", title: "Settlement", text: "A correct payment can still fail on its way to the chain." },
] as const;

export const labCases: readonly LabCase[] = [
  {
    ...usual,
    id: "one-more",
    group: "amount",
    title: "One unit more",
    text: "Signs for 0.000001 USDC more than the price.",
    reason: "invalid_exact_evm_payload_authorization_value_mismatch",
    sign: () => signAmount(1n),
  },
  {
    ...usual,
    id: "one-less",
    group: "amount",
    title: "One unit less",
    text: "Signs for 0.000001 USDC less than the price.",
    reason: "invalid_exact_evm_payload_authorization_value_mismatch",
    sign: () => signAmount(-1n),
  },
  {
    ...usual,
    id: "empty-balance",
    group: "amount",
    title: "Empty balance",
    text: "Pays from a new, empty account.",
    reason: "insufficient_funds",
    payer: "emptyStranger",
  },
  {
    ...usual,
    id: "upto-zero",
    group: "amount",
    title: "`upto`: zero usage",
    text: "With `upto`, the payer signs a maximum, and usage sets the price. A call that fails is free and needs no transaction.",
    reason: undefined,
    resource: "rpc",
    body: failingCall,
  },
  {
    ...usual,
    id: "upto-above",
    group: "amount",
    title: "`upto`: above the maximum",
    text: "Acts as the seller and settles 0.000001 USDC above the maximum.",
    reason: "invalid_upto_evm_payload_settlement_exceeds_amount",
    plan: "overcharge",
    resource: "rpc",
    body: readCall,
  },
  {
    ...usual,
    id: "expired",
    group: "time",
    title: "Expired",
    text: "`validBefore` is one minute in the past.",
    reason: "invalid_exact_evm_payload_authorization_valid_before",
    sign: () => signExpired(60),
  },
  {
    ...usual,
    id: "not-yet-valid",
    group: "time",
    title: "Not yet valid",
    text: "Sets `validAfter` with a skewed clock. Up to 600\u00a0s of skew is accepted.",
    reason: "invalid_exact_evm_payload_authorization_valid_after",
    sign: ({ skewSeconds }) => signAhead(skewSeconds),
  },
  {
    ...usual,
    id: "wrong-domain",
    group: "signature",
    title: "Wrong domain name",
    text: "Uses “USD Coin” as the EIP-\u2060712 domain name.",
    reason: "invalid_exact_evm_signature",
    sign: () => signWrongName,
  },
  {
    ...usual,
    id: "high-s",
    group: "signature",
    title: "High s",
    text: "A signature’s number s can be mirrored to n − s and still match. Only the low one is allowed, so this sends the high one.",
    reason: "invalid_exact_evm_signature",
    sign: () => signHighS,
  },
  {
    ...usual,
    id: "replay",
    group: "nonce",
    title: "Replayed payment",
    text: "Pays, then sends the same payment again.",
    reason: "invalid_exact_evm_nonce_already_used",
    plan: "replay",
  },
  {
    ...usual,
    id: "wrong-chain",
    group: "terms",
    title: "Wrong chain",
    text: "Signs for another chain’s EIP-\u2060712 domain. Works only with a burner account.",
    reason: "invalid_exact_evm_signature",
    sign: ({ otherChain }) => signWrongChain(otherChain),
  },
  {
    ...usual,
    id: "wrong-payee",
    group: "terms",
    title: "Wrong payee",
    text: "Signs a payment to an address other than `payTo`.",
    reason: "invalid_exact_evm_recipient_mismatch",
    sign: () => signWrongPayee(wrongPayee),
  },
  {
    ...usual,
    id: "version-1",
    group: "terms",
    title: "Version 1 payload",
    text: "Sends an x402 version 1 payload.",
    reason: "invalid_x402_version",
    sign: () => signVersion1,
  },
  {
    ...usual,
    id: "upto-old-client",
    group: "terms",
    title: "`upto`: outdated client",
    text: "Signs for an old version of the contract that moves the tokens, as client libraries 2.9 to 2.11 do.",
    reason: "invalid_permit2_spender",
    resource: "rpc",
    body: readCall,
    sign: () => signOldProxy,
  },
  {
    ...usual,
    id: "missing-allowance",
    group: "settlement",
    title: "Missing allowance",
    text: "Permit2 is a contract that moves tokens for their owner. This payment leaves out the permit that approves it, so the server returns 412.",
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
    group: "settlement",
    title: "Facilitator error",
    text: "Pays for a resource whose facilitator returns HTTP 500.",
    reason: "unexpected_error",
    resource: labPaths.facilitatorError,
  },
  {
    ...usual,
    id: "lost-answer",
    group: "settlement",
    title: "Timeout after broadcast",
    text: "The response is lost after broadcast. Retrying is safe.",
    reason: "settlement_pending",
    plan: "repeat",
    resource: labPaths.lostAnswer,
  },
];

/** The request that a case sends to a network's resource. */
export function toLabCall({ resource, body }: LabCase, network: string): PaidCall {
  const path = resource.startsWith("/") ? resource : `/api/paid/${resource}`;
  return {
    url: `${path}?network=${encodeURIComponent(network)}`,
    method: body === undefined ? "GET" : "POST",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}
