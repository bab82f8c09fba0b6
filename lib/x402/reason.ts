/** Defines the type of payment rejection reasons, and explains a reason from any x402 implementation. */
import { type ReasonEntry, reasonTable } from "@/lib/x402/reasonTable";

export type Reason = keyof typeof reasonTable;

/** Maps the reasons of other facilitators and older libraries to our reasons with the same cause. */
const aliases: Record<string, Reason> = {
  invalid_exact_evm_insufficient_balance: "insufficient_funds",
  permit2_insufficient_balance: "insufficient_funds",
  invalid_exact_evm_authorization_value: "invalid_exact_evm_payload_authorization_value_mismatch",
  invalid_exact_evm_payload_authorization_value: "invalid_exact_evm_payload_authorization_value_mismatch",
  invalid_exact_evm_payload_signature: "invalid_exact_evm_signature",
  invalid_exact_evm_failed_to_parse_signature: "invalid_exact_evm_signature",
  invalid_exact_evm_payload_recipient_mismatch: "invalid_exact_evm_recipient_mismatch",
  invalid_scheme: "unsupported_scheme",
  unexpected_verify_error: "unexpected_error",
  unexpected_settle_error: "unexpected_error",
  invalid_format: "invalid_payload",
  invalid_payment_amount: "invalid_exact_evm_payload_authorization_value_mismatch",
  invalid_payment_early: "invalid_exact_evm_payload_authorization_valid_after",
  invalid_payment_expired: "invalid_exact_evm_payload_authorization_valid_before",
  invalid_signature: "invalid_exact_evm_signature",
  chain_id_mismatch: "invalid_exact_evm_network_mismatch",
  recipient_mismatch: "invalid_exact_evm_recipient_mismatch",
  asset_mismatch: "permit2_token_mismatch",
  accepted_requirements_mismatch: "no_matching_requirements",
  transaction_simulation: "invalid_exact_evm_transaction_simulation_failed",
  unsupported_chain: "invalid_network",
  PERMIT2_ALLOWANCE_REQUIRED: "permit2_allowance_required",
  PERMIT_ALLOWANCE_REQUIRED: "permit2_allowance_required",
};

export function getReason(reason: Reason): ReasonEntry {
  return reasonTable[reason];
}

/**
 * Finds the reason at the start of an error text. The text is a reason or an alias, either alone or followed by ":
 * message".
 */
export function findReason(text: string): (ReasonEntry & { reason: Reason }) | undefined {
  const word = text.split(":", 1)[0]?.trim() ?? "";
  const reason = Object.hasOwn(reasonTable, word)
    ? (word as Reason)
    : Object.hasOwn(aliases, word)
      ? aliases[word]
      : undefined;
  return reason && { reason, ...reasonTable[reason] };
}
