/**
 * Readable labels for rules. A check before signing is keyed by its name, a payment field by its field name, and any
 * other rule by its rejection reason.
 */
const ruleLabels: Record<string, string> = {
  // before signing
  chain: "Chain ID",
  code: "Token’s code",
  balance: "Balance",
  domain: "EIP-712 domain",
  clock: "Clock offset from the server",
  allowance: "Allowance for Permit2",
  proxy: "x402 proxy’s code",
  // request
  invalid_x402_version: "x402 version",
  no_matching_requirements: "Accepted requirement",
  resource_mismatch: "Resource URL",
  unsupported_payload_type: "Payload type",
  invalid_payload: "Payload format",
  // accepted
  invalid_payment_requirements: "Price above zero",
  invalid_exact_evm_scheme: "Scheme",
  invalid_upto_evm_scheme: "Scheme",
  invalid_exact_evm_missing_eip712_domain: "EIP-712 domain in the requirement",
  invalid_exact_evm_network_mismatch: "Network",
  invalid_upto_evm_network_mismatch: "Network",
  // signed
  invalid_exact_evm_payload_undeployed_smart_wallet: "Smart wallet deployed",
  invalid_exact_evm_signature: "Signature",
  invalid_exact_evm_recipient_mismatch: "Recipient",
  invalid_exact_evm_payload_authorization_valid_before: "Expiration (validBefore)",
  authorization_too_long: "Validity period (maxTimeoutSeconds)",
  invalid_exact_evm_payload_authorization_valid_after: "Start time (validAfter)",
  invalid_exact_evm_payload_authorization_value_mismatch: "Amount",
  asset_not_deployed_contract: "Token’s code",
  invalid_permit2_spender: "Permit2 spender",
  invalid_permit2_recipient_mismatch: "Recipient",
  upto_facilitator_mismatch: "Facilitator",
  permit2_deadline_expired: "Expiration (deadline)",
  permit2_not_yet_valid: "Start time (validAfter)",
  permit2_amount_mismatch: "Amount",
  invalid_upto_evm_payload_settlement_exceeds_amount: "Amount charged",
  permit2_token_mismatch: "Permitted token",
  invalid_permit2_signature: "Signature",
  permit2_proxy_not_deployed: "x402 proxy’s code",
  // token permit
  eip2612_from_mismatch: "Token permit: owner",
  eip2612_asset_mismatch: "Token permit: token",
  eip2612_spender_not_permit2: "Token permit: spender",
  eip2612_deadline_expired: "Token permit: deadline",
  // settled
  invalid_exact_evm_eip3009_not_supported: "EIP-3009 support",
  invalid_exact_evm_nonce_already_used: "Nonce",
  permit2_invalid_nonce: "Nonce",
  invalid_exact_evm_token_name_mismatch: "Token name",
  invalid_exact_evm_token_version_mismatch: "Token version",
  insufficient_funds: "Balance",
  permit2_allowance_required: "Allowance for Permit2",
  // fields of the payment that must match its requirement
  scheme: "Scheme",
  network: "Network",
  amount: "Amount",
  payTo: "Payee (payTo)",
  asset: "Asset",
  resource: "Resource URL",
};

export function findRuleLabel(rule: string): string | undefined {
  return Object.hasOwn(ruleLabels, rule) ? ruleLabels[rule] : undefined;
}
