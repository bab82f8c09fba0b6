/**
 * The payment rules in the reference facilitator's order, so that a payment with two faults gets the same reason
 * everywhere.
 */
import {
  allowanceRule,
  assetCodeRule,
  balanceRule,
  eip3009Rule,
  proxyCodeRule,
  tokenNameRule,
  tokenVersionRule,
  toNonceRule,
  walletRule,
} from "@/lib/x402/rules/chainRules";
import type { PaymentRule } from "@/lib/x402/rules/paymentTerms";
import {
  chargeRule,
  facilitatorRule,
  permittedTokenRule,
  positiveAmountRule,
  spenderRule,
  toAcceptedRule,
  toAmountRule,
  toExpiryRule,
  tokenDomainRule,
  toLengthRule,
  toRecipientRule,
  toSignatureRule,
  toStartRule,
} from "@/lib/x402/rules/signedRules";

import { findTransferMethod } from "@/lib/x402/signedPayment";
import type { PaymentRequirements } from "@/lib/x402/types";

/** The rules for one way of paying, grouped by when a facilitator checks them. */
export type PaymentRules = {
  /** Checked before anything is read from the chain. */
  accepted: readonly PaymentRule[];
  /** Checked before the settlement is simulated. */
  signed: readonly PaymentRule[];
  /** Checked if the simulation fails, to find out why. */
  settled: readonly PaymentRule[];
};

/** The Permit2 rules that `exact` and `upto` share, plus the scheme's own rules from `ofScheme`. */
const toPermit2Rules = (ofScheme: Record<"accepted" | "witness" | "charge", PaymentRule[]>): PaymentRules => ({
  accepted: ofScheme.accepted,
  signed: [
    spenderRule,
    toRecipientRule("invalid_permit2_recipient_mismatch"),
    ...ofScheme.witness,
    toExpiryRule("permit2_deadline_expired"),
    toLengthRule("permit2_deadline_expired"),
    toStartRule("permit2_not_yet_valid"),
    toAmountRule("permit2_amount_mismatch"),
    ...ofScheme.charge,
    permittedTokenRule,
    assetCodeRule,
    toSignatureRule("invalid_permit2_signature"),
    proxyCodeRule,
  ],
  settled: [toNonceRule("permit2"), { ...balanceRule, code: "permit2_insufficient_balance" }, allowanceRule],
});

/** The rules for each scheme and transfer method. */
export const paymentRules: Record<"exact eip3009" | "exact permit2" | "upto permit2", PaymentRules> = {
  "exact eip3009": {
    accepted: [
      toAcceptedRule("scheme", "invalid_exact_evm_scheme"),
      tokenDomainRule,
      toAcceptedRule("network", "invalid_exact_evm_network_mismatch"),
      positiveAmountRule,
    ],
    signed: [
      walletRule,
      toSignatureRule("invalid_exact_evm_signature"),
      toRecipientRule("invalid_exact_evm_recipient_mismatch"),
      toExpiryRule("invalid_exact_evm_payload_authorization_valid_before"),
      toLengthRule("invalid_exact_evm_payload_authorization_valid_before"),
      toStartRule("invalid_exact_evm_payload_authorization_valid_after"),
      toAmountRule("invalid_exact_evm_payload_authorization_value_mismatch"),
      assetCodeRule,
    ],
    settled: [eip3009Rule, toNonceRule("eip3009"), tokenNameRule, tokenVersionRule, balanceRule],
  },
  "exact permit2": toPermit2Rules({
    accepted: [
      toAcceptedRule("scheme", "unsupported_payload_type"),
      toAcceptedRule("network", "invalid_exact_evm_network_mismatch"),
      positiveAmountRule,
    ],
    witness: [],
    charge: [],
  }),
  "upto permit2": toPermit2Rules({
    accepted: [
      toAcceptedRule("scheme", "invalid_upto_evm_scheme"),
      toAcceptedRule("network", "invalid_upto_evm_network_mismatch"),
    ],
    witness: [facilitatorRule],
    charge: [chargeRule],
  }),
};

/** The rules for paying a requirement; undefined if its scheme or transfer method is not supported. */
export function findPaymentRules(required: PaymentRequirements): PaymentRules | undefined {
  const rules: Record<string, PaymentRules> = paymentRules;
  return rules[`${required.scheme} ${findTransferMethod(required)}`];
}
