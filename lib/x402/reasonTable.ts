/**
 * Every reason for rejecting a payment, with its cause and fix. The reasons come from the x402 specification. If the
 * reference facilitator reports a different reason for the same cause, `code` holds it.
 */

export type ReasonEntry = { cause: string; fix: string; code?: string };

export const reasonTable = {
  // envelope and routing
  invalid_x402_version: {
    cause: "The message is not x402 version 2 or later.",
    fix: "Set x402Version to 2. Version 1 is not supported, and later versions are read as version 2.",
  },
  invalid_payload: {
    cause: "The payment payload is malformed or missing a field.",
    fix: "Build the payload as the scheme specifies, with every number as a decimal string.",
  },
  invalid_payment_requirements: {
    cause: "The payment requirements are malformed or missing a field.",
    fix: "Send one entry of the 402 response's accepts array unchanged.",
  },
  unsupported_scheme: {
    cause: "This facilitator does not support that scheme on that network.",
    fix: "Use one of the kinds that GET /supported returns.",
  },
  invalid_network: {
    cause: "This facilitator does not support that network.",
    fix: "Use one of the networks that GET /supported returns.",
  },
  unsupported_asset: {
    cause: "This facilitator does not settle payments in that asset.",
    fix: "Pay in one of the network's configured tokens, which explorer_getNetwork lists.",
  },
  rate_limited: {
    cause: "Too many requests from this IP address.",
    fix: "Wait for the number of seconds in Retry-After, then try again.",
  },
  invalid_payment_identifier: {
    cause: "The payment identifier is required but missing, or it is malformed.",
    fix: "Set extensions.payment-identifier.info.id to a string of 16–128 letters, digits, hyphens or underscores.",
  },
  payment_identifier_conflict: {
    cause: "The payment identifier is already used by another payment.",
    fix: "Send the original payment again, or use a new identifier for a new payment.",
  },
  // refunds
  payment_not_found: {
    cause: "This facilitator has no record of the payment.",
    fix: "Use the payment ID that the settle response returns in extra.paymentId.",
  },
  payment_not_settled: {
    cause: "The payment is not settled, so it can't be refunded.",
    fix: "Look up the payment with GET /settlements/{paymentId}, and refund it once it is settled.",
  },
  invalid_refund: {
    cause: "The refund is not a transfer of the payment's asset from the payee back to the payer.",
    fix: "Sign a payment from the payee to the payer for at most the settled amount, with the nonce derived from the payment ID.",
  },
  no_matching_requirements: {
    cause: "The accepted requirement doesn't match any that the resource offers.",
    fix: "Request the resource again and copy one entry of the 402 response's accepts array unchanged.",
  },
  resource_mismatch: {
    cause: "The payment was made for another resource.",
    fix: "Request the URL without a payment, and pay according to its own 402 response.",
  },
  payment_already_used: {
    cause: "The payment was already used for a request.",
    fix: "Sign a new payment for each request.",
  },
  // money
  insufficient_funds: {
    code: "invalid_exact_evm_insufficient_balance",
    cause: "The payer's available balance (its balance minus pending payments) is below the required amount.",
    fix: "Fund the payer with the asset, or wait until its pending payments are settled.",
  },
  // validity period
  authorization_too_long: {
    cause: "The authorization is valid for longer than the requirement's maxTimeoutSeconds.",
    fix: "Set the expiration to at most maxTimeoutSeconds from now, and check the signer's clock.",
  },
  // the facilitator's limits
  amount_below_minimum: {
    cause: "The amount is below the minimum that this facilitator settles.",
    fix: "Charge at least limits.minAmount, which GET /supported returns.",
  },
  payee_not_allowed: {
    cause: "This facilitator doesn't settle payments to that payee.",
    fix: "Use another facilitator, or ask this one's operator to add the payee.",
  },
  gas_budget_exceeded: {
    cause: "The payer's settlements have used up the daily gas budget that this facilitator sets for each payer.",
    fix: "Wait as long as the message says, then pay again.",
  },
  settlement_backoff: {
    cause: "Recent settlements for this payer or payee reverted, so the facilitator delays the next one.",
    fix: "Find out why the settlement reverted, wait as long as the message says, then pay again.",
  },
  // `exact` payments through EIP-3009
  invalid_exact_evm_scheme: {
    cause: "The payment's scheme is not the required scheme.",
    fix: "Sign for the scheme in the requirement.",
  },
  invalid_exact_evm_missing_eip712_domain: {
    cause: "The requirement's extra field doesn't include the token's EIP-712 name or version.",
    fix: 'Add the token\'s domain to extra, for example {"name":"USDC","version":"2"}.',
  },
  invalid_exact_evm_network_mismatch: {
    cause: "The payment was made for a network other than the required one.",
    fix: "Sign for the network in the requirement.",
  },
  eip6492_factory_not_allowed: {
    cause: "The signature requires deploying a smart wallet through a factory that is not allowed.",
    fix: "Deploy the smart wallet first, then pay.",
  },
  invalid_exact_evm_payload_undeployed_smart_wallet: {
    cause: "The payer is a smart wallet that is not deployed yet.",
    fix: "Deploy the smart wallet first, then pay.",
  },
  invalid_exact_evm_signature: {
    cause: "The signature doesn't match the payer for this authorization.",
    fix: "Sign with the payer's key over the token's EIP-712 domain (name, version, chain ID and address). If the signature's s is above n/2, use s = n - s and flip v.",
  },
  invalid_exact_evm_recipient_mismatch: {
    cause: "The authorization pays an address other than payTo.",
    fix: "Sign with the requirement's payTo as the recipient (to).",
  },
  invalid_exact_evm_payload_authorization_valid_before: {
    cause: "The authorization has expired or expires within six seconds.",
    fix: "Sign again with a later validBefore. Compare the signer's clock with the chain's, which developer tools can move.",
  },
  invalid_exact_evm_payload_authorization_valid_after: {
    cause: "The authorization is not valid yet.",
    fix: 'Sign with validAfter set to "0", or check the signer\'s clock.',
  },
  invalid_exact_evm_payload_authorization_value_mismatch: {
    cause: "The authorized value is not the required amount.",
    fix: "Sign for exactly the required amount.",
  },
  asset_not_deployed_contract: {
    cause: "The asset's address has no contract on this network.",
    fix: "Correct the asset's address or the network.",
  },
  invalid_exact_evm_eip3009_not_supported: {
    cause: "The asset does not support EIP-3009.",
    fix: "Use a token that supports EIP-3009, or pay through Permit2.",
  },
  invalid_exact_evm_nonce_already_used: {
    cause: "The authorization's nonce was already used or canceled.",
    fix: "Sign again with a new random nonce.",
  },
  invalid_exact_evm_token_name_mismatch: {
    cause: "The name in extra is not the token's name.",
    fix: "Set extra.name to the value that the token's name() returns.",
  },
  invalid_exact_evm_token_version_mismatch: {
    cause: "The version in extra is not the token's version.",
    fix: "Set extra.version to the value that the token's version() returns.",
  },
  invalid_exact_evm_transaction_simulation_failed: {
    cause: "The transfer would revert for a reason that the facilitator could not identify.",
    fix: "Trace the call in the explorer; the token may be paused or the payer blocked.",
  },
  invalid_exact_evm_transaction_failed: {
    cause: "The settlement transaction was mined but reverted.",
    fix: "Open the transaction in the explorer to see why, then pay again.",
  },
  invalid_exact_evm_transfer_event_mismatch: {
    cause: "The settlement transaction succeeded without transferring the agreed amount to the payee.",
    fix: "Do not use this token, because it reports success without moving the amount.",
  },
  // `exact` payments through Permit2
  unsupported_payload_type: {
    cause: "The payload type does not match the requirement.",
    fix: "Send the payload for the requirement's scheme and transfer method.",
  },
  invalid_permit2_spender: {
    cause: "The permit's spender is not the x402 proxy contract for this scheme.",
    fix: "Sign for the canonical proxy. x402 client libraries 2.9 to 2.11 sign for an abandoned one, so use 2.12 or later.",
  },
  invalid_permit2_recipient_mismatch: {
    cause: "The permit's witness pays an address other than payTo.",
    fix: "Sign with the requirement's payTo as witness.to.",
  },
  permit2_deadline_expired: {
    cause: "The permit has expired or expires within six seconds.",
    fix: "Sign again with a later deadline. Compare the signer's clock with the chain's, which developer tools can move.",
  },
  permit2_not_yet_valid: {
    cause: "The permit is not valid yet.",
    fix: 'Sign with witness.validAfter set to "0", or check the signer\'s clock.',
  },
  permit2_amount_mismatch: {
    cause: "The permitted amount is not the required amount.",
    fix: "Sign for exactly the required amount.",
  },
  permit2_token_mismatch: {
    cause: "The permit is for a token other than the required asset.",
    fix: "Sign with the requirement's asset as permitted.token.",
  },
  invalid_permit2_signature: {
    cause: "The signature doesn't match the payer for this permit.",
    fix: "Sign with the payer's key over this chain's Permit2 domain, which has no version. If the signature's s is above n/2, use s = n - s and flip v.",
  },
  permit2_allowance_required: {
    cause: "The payer has not approved Permit2 to spend the token.",
    fix: "Approve the Permit2 contract once for this token, then send the same payment again.",
  },
  permit2_proxy_not_deployed: {
    cause: "The x402 proxy contract is not deployed on this network.",
    fix: "Use EIP-3009 on this network, or deploy the proxy.",
  },
  permit2_simulation_failed: {
    cause: "The transfer through Permit2 would revert for a reason that the facilitator could not identify.",
    fix: "Trace the call in the explorer; the token may be paused or the payer blocked.",
  },
  permit2_invalid_amount: {
    cause: "The amount to settle is zero.",
    fix: "Settle an amount above zero.",
  },
  permit2_invalid_destination: {
    cause: "The payee is the zero address.",
    fix: "Set payTo to an address other than zero.",
  },
  permit2_invalid_owner: {
    cause: "The payer is the zero address.",
    fix: "Set the from field to the account that signs.",
  },
  permit2_payment_too_early: {
    cause: "The chain's clock has not reached the permit's validAfter.",
    fix: 'Sign with witness.validAfter set to "0".',
  },
  permit2_invalid_nonce: {
    cause: "The permit's nonce was already used or canceled.",
    fix: "Sign again with a new random nonce.",
  },
  // Permit2 with an EIP-2612 permit
  invalid_eip2612_extension_format: {
    cause: "The payment's token permit (EIP-2612) is malformed.",
    fix: "Set every field of extensions.eip2612GasSponsoring.info, with numbers as decimal strings.",
  },
  eip2612_from_mismatch: {
    cause: "The token permit's owner is not the payer.",
    fix: "Sign the token permit with the payer's key.",
  },
  eip2612_asset_mismatch: {
    cause: "The token permit is for a token other than the required asset.",
    fix: "Sign the token permit over the required asset's domain.",
  },
  eip2612_spender_not_permit2: {
    cause: "The token permit's spender is not the Permit2 contract.",
    fix: "Sign the token permit with Permit2 as its spender.",
  },
  eip2612_deadline_expired: {
    cause: "The token permit has expired or expires within six seconds.",
    fix: "Sign the token permit again with a later deadline.",
  },
  permit2_2612_amount_mismatch: {
    cause: "The token permit and the Permit2 permit are for different amounts.",
    fix: "Sign both for the same amount.",
  },
  // Permit2 with a signed approval transaction
  invalid_erc20_approval_extension_format: {
    cause: "The payment's signed approval is malformed.",
    fix: "Set every field of extensions.erc20ApprovalGasSponsoring.info, with the amount as a decimal string.",
  },
  erc20_approval_from_mismatch: {
    cause: "The signed approval's from address is not the payer.",
    fix: "Sign the approval with the payer's key.",
  },
  erc20_approval_asset_mismatch: {
    cause: "The signed approval is for a token other than the required asset.",
    fix: "Sign an approval of the required asset.",
  },
  erc20_approval_spender_not_permit2: {
    cause: "The signed approval's spender is not the Permit2 contract.",
    fix: "Set the spender to the Permit2 contract.",
  },
  erc20_approval_tx_parse_failed: {
    cause: "The signed approval can't be parsed as a transaction.",
    fix: "Send the signed bytes of a legacy, EIP-2930 or EIP-1559 transaction, exactly as for eth_sendRawTransaction.",
  },
  erc20_approval_tx_wrong_target: {
    cause: "The signed transaction calls a contract other than the token.",
    fix: "Sign a transaction to the required asset.",
  },
  erc20_approval_tx_wrong_selector: {
    cause: "The signed transaction calls a function other than approve.",
    fix: "Sign a call to approve(address,uint256).",
  },
  erc20_approval_tx_wrong_spender: {
    cause: "The signed transaction approves an address other than the Permit2 contract.",
    fix: "Sign a call to approve with Permit2 as the spender.",
  },
  erc20_approval_tx_invalid_calldata: {
    cause: "The signed transaction's calldata is not a single approval of at least the permitted amount.",
    fix: "Sign a call to approve(address,uint256) for the permitted amount or more, without trailing data.",
  },
  erc20_approval_tx_signer_mismatch: {
    cause: "The signed transaction was not signed by the payer.",
    fix: "Sign the approval with the payer's key.",
  },
  erc20_approval_tx_invalid_signature: {
    cause: "The signed transaction's signature is invalid, or its s is above n/2 (EIP-2).",
    fix: "Sign the approval again, with s at most n/2.",
  },
  erc20_approval_tx_carries_value: {
    cause: "The signed transaction sends native tokens.",
    fix: "Sign the approval with a value of zero.",
  },
  erc20_approval_tx_wrong_chain: {
    cause: "The signed transaction has no chain ID or the wrong one.",
    fix: "Sign the approval for the chain ID of the requirement's network (EIP-155).",
  },
  erc20_approval_tx_wrong_nonce: {
    cause: "The signed transaction's nonce is not the payer's next nonce.",
    fix: "Get the payer's nonce with eth_getTransactionCount and sign the approval again.",
  },
  erc20_approval_tx_too_expensive: {
    cause: "The signed transaction's gas limit or gas price is above what this facilitator pays for an approval.",
    fix: "Sign the approval with a gas limit of about 70000 and at most twice the current gas price.",
  },
  erc20_approval_tx_fee_too_low: {
    cause: "The signed transaction's maximum fee is below the current base fee.",
    fix: "Sign the approval with a maxFeePerGas of about twice the current base fee.",
  },
  erc20_approval_tx_failed: {
    cause: "The approval reverts in the token contract.",
    fix: "Trace the approval in the explorer; some tokens require resetting the allowance to zero first.",
  },
  erc20_approval_broadcast_failed: {
    cause: "The approval was not mined, so the payment was not settled.",
    fix: "Send the same payment again, or approve Permit2 with your own transaction.",
  },
  // upto
  invalid_upto_evm_scheme: {
    cause: "The payment's scheme is not the required scheme.",
    fix: "Sign for the scheme in the requirement.",
  },
  invalid_upto_evm_network_mismatch: {
    cause: "The payment was made for a network other than the required one.",
    fix: "Sign for the network in the requirement.",
  },
  upto_facilitator_mismatch: {
    cause: "The permit is for another facilitator.",
    fix: "Sign with witness.facilitator set to the requirement's extra.facilitatorAddress.",
  },
  invalid_upto_evm_payload_settlement_exceeds_amount: {
    cause: "The amount to settle exceeds the amount that the payer permitted.",
    fix: "Settle at most the permitted amount.",
  },
  upto_amount_exceeds_permitted: {
    cause: "The contract rejected the settlement because it exceeds the permitted amount.",
    fix: "Settle at most the permitted amount.",
  },
  upto_unauthorized_facilitator: {
    cause: "The settlement was not sent by the facilitator that the permit names.",
    fix: "Settle through the facilitator in witness.facilitator.",
  },
  invalid_upto_evm_transaction_failed: {
    cause: "The settlement transaction was mined but reverted.",
    fix: "Open the transaction in the explorer to see why, then pay again.",
  },
  // settlement and infrastructure
  settlement_pending: {
    cause: "The settlement was sent but is not mined yet.",
    fix: "Look up the settlement with GET /settlements/{extra.paymentId}, or settle the same payment again, which resumes this settlement and never pays twice.",
  },
  chain_rewound: {
    cause: "The chain was rolled back to a block before the settlement.",
    fix: "Settle the same payment again; the rollback undid the transfer.",
  },
  no_database: {
    cause: "This deployment has no database to record payments in, so payments are disabled.",
    fix: "Set DATABASE_URL to a Postgres database and deploy again.",
  },
  invalid_transaction_state: {
    cause: "The settlement transaction could not be read back from the chain.",
    fix: "Settle the same payment again.",
  },
  unexpected_error: {
    code: "unexpected_verify_error",
    cause: "The facilitator or the network's node failed.",
    fix: "Try again. If the error persists, check the facilitator and the network's node.",
  },
} as const satisfies Record<string, ReasonEntry>;
