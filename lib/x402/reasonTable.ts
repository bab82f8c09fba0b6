/**
 * Every reason word for refusing a payment here, each with its cause and its remedy in one sentence. The words come
 * from the x402 contract and its reference facilitator; code is the reference's word if the contract uses another one
 * for the same thing.
 */

export type ReasonEntry = { cause: string; fix: string; code?: string };

export const reasonTable = {
  // envelope and routing
  invalid_x402_version: {
    cause: "The message is not x402 version 2 or above.",
    fix: "Send x402Version 2; version 1 is not spoken here, and later ones are read as version 2.",
  },
  invalid_payload: {
    cause: "The payment payload is malformed or a field is missing.",
    fix: "Build the payload as the scheme describes it, every number as a decimal string.",
  },
  invalid_payment_requirements: {
    cause: "The payment requirements are malformed or a field is missing.",
    fix: "Send one element of the accepts list exactly as the 402 answer gave it.",
  },
  unsupported_scheme: {
    cause: "This facilitator does not settle that scheme on that network.",
    fix: "Choose a kind that GET supported lists.",
  },
  invalid_network: {
    cause: "This facilitator does not serve that network.",
    fix: "Choose a network that GET supported lists.",
  },
  unsupported_asset: {
    cause: "This facilitator does not settle payments in that asset.",
    fix: "Pay in a token that the network is configured with: explorer_getNetwork lists them.",
  },
  rate_limited: {
    cause: "Too many requests came from this address.",
    fix: "Wait for the seconds that Retry-After names, then ask again.",
  },
  invalid_payment_identifier: {
    cause: "The payment's identifier is missing where it is required, or malformed.",
    fix: "Put 16 to 128 letters, digits, hyphens or underscores into extensions.payment-identifier.info.id.",
  },
  payment_identifier_conflict: {
    cause: "The payment's identifier belongs to another payment.",
    fix: "Repeat the payment that had the identifier first, or take a fresh identifier for a new one.",
  },
  // refunds
  payment_not_found: {
    cause: "There is no such payment in this facilitator's ledger.",
    fix: "Name the payment by its id, as the settlement's answer gives it in extra.paymentId.",
  },
  payment_not_settled: {
    cause: "The payment is not settled, so there is nothing to give back.",
    fix: "Ask GET settlements for the payment's state, and refund it once it is settled.",
  },
  invalid_refund: {
    cause: "The refund is not the payee's own transfer of the payment's asset back to its payer.",
    fix: "Sign a payment from payee to payer, of at most what was settled, with the nonce derived from the payment's id.",
  },
  no_matching_requirements: {
    cause: "The accepted requirement is not one that the resource offers.",
    fix: "Copy an element of the accepts list of a fresh 402 answer without changing it.",
  },
  resource_mismatch: {
    cause: "The payment was made for another resource.",
    fix: "Pay for the URL that is requested: its own 402 answer names it.",
  },
  payment_already_used: {
    cause: "The payment has served a request already.",
    fix: "Sign a new payment, one per request.",
  },
  // money
  insufficient_funds: {
    code: "invalid_exact_evm_insufficient_balance",
    cause: "The payer's balance, less what other payments under way hold of it, is below the amount.",
    fix: "Fund the payer with the asset, or wait until its other payments are settled.",
  },
  // exact by EIP-3009
  invalid_exact_evm_scheme: {
    cause: "The payment and the requirement name different schemes.",
    fix: "Sign for the scheme of the requirement.",
  },
  invalid_exact_evm_missing_eip712_domain: {
    cause: "The requirement lacks the token's EIP-712 name or version in extra.",
    fix: 'Put the token\'s domain into extra, for instance {"name":"USDC","version":"2"}.',
  },
  invalid_exact_evm_network_mismatch: {
    cause: "The payment was made for another network than the requirement's.",
    fix: "Sign for the network of the requirement.",
  },
  eip6492_factory_not_allowed: {
    cause: "The signature would have the facilitator deploy a wallet through an unknown factory.",
    fix: "Deploy the smart wallet first, then pay.",
  },
  invalid_exact_evm_payload_undeployed_smart_wallet: {
    cause: "The payer is a smart wallet without code yet.",
    fix: "Deploy the smart wallet first, then pay.",
  },
  invalid_exact_evm_signature: {
    cause: "The signature doesn't match the payer for this authorization.",
    fix: "Sign with the payer's key over the token's own domain: name, version, chain id and address.",
  },
  invalid_exact_evm_recipient_mismatch: {
    cause: "The authorization pays someone else than payTo.",
    fix: "Sign with to equal to the requirement's payTo.",
  },
  invalid_exact_evm_payload_authorization_valid_before: {
    cause: "The authorization has expired or expires within six seconds.",
    fix: "Sign again with a later validBefore, and check the signer's clock.",
  },
  invalid_exact_evm_payload_authorization_valid_after: {
    cause: "The authorization is not valid yet.",
    fix: 'Sign with validAfter "0", or check the signer\'s clock.',
  },
  invalid_exact_evm_payload_authorization_value_mismatch: {
    cause: "The authorized value is not the required amount.",
    fix: "Sign for exactly the requirement's amount.",
  },
  asset_not_deployed_contract: {
    cause: "There is no contract at the asset's address on this network.",
    fix: "Correct the asset's address or the network.",
  },
  invalid_exact_evm_eip3009_not_supported: {
    cause: "The asset does not have EIP-3009.",
    fix: "Use an EIP-3009 token, or pay by Permit2.",
  },
  invalid_exact_evm_nonce_already_used: {
    cause: "The authorization's nonce was used or cancelled.",
    fix: "Sign again with a fresh random nonce.",
  },
  invalid_exact_evm_token_name_mismatch: {
    cause: "The name in extra is not the token's name.",
    fix: "Set extra.name to what the token's name() answers.",
  },
  invalid_exact_evm_token_version_mismatch: {
    cause: "The version in extra is not the token's version.",
    fix: "Set extra.version to what the token's version() answers.",
  },
  invalid_exact_evm_transaction_simulation_failed: {
    cause: "The transfer would revert, for none of the usual reasons.",
    fix: "Trace the call in the explorer: the token may be paused or the payer blocked.",
  },
  invalid_exact_evm_transaction_failed: {
    cause: "The settlement transaction was included but reverted.",
    fix: "Open the transaction in the explorer to see why, then pay again.",
  },
  invalid_exact_evm_transfer_event_mismatch: {
    cause: "The settlement succeeded without the transfer that was agreed.",
    fix: "Do not trust this token: it reports success without moving the amount.",
  },
  // exact by Permit2
  unsupported_payload_type: {
    cause: "The payload is of a kind that the requirement does not take.",
    fix: "Send the payload of the scheme and transfer method that the requirement names.",
  },
  invalid_permit2_spender: {
    cause: "The permit's spender is not the x402 proxy of this scheme.",
    fix: "Sign for the canonical proxy; x402 client libraries 2.9 to 2.11 sign for an abandoned one, so use 2.12 or later.",
  },
  invalid_permit2_recipient_mismatch: {
    cause: "The permit's witness pays someone else than payTo.",
    fix: "Sign with witness.to equal to the requirement's payTo.",
  },
  permit2_deadline_expired: {
    cause: "The permit has expired or expires within six seconds.",
    fix: "Sign again with a later deadline, and check the signer's clock.",
  },
  permit2_not_yet_valid: {
    cause: "The permit's witness is not valid yet.",
    fix: 'Sign with witness.validAfter "0", or check the signer\'s clock.',
  },
  permit2_amount_mismatch: {
    cause: "The permitted amount is not the required amount.",
    fix: "Sign for exactly the requirement's amount.",
  },
  permit2_token_mismatch: {
    cause: "The permit is for another token than the required asset.",
    fix: "Sign with permitted.token equal to the requirement's asset.",
  },
  invalid_permit2_signature: {
    cause: "The signature doesn't match the payer for this permit.",
    fix: "Sign with the payer's key over the Permit2 domain of this chain, which has no version.",
  },
  permit2_allowance_required: {
    cause: "The payer has not allowed the Permit2 contract to move the token.",
    fix: "Approve the Permit2 contract once for this token, then send the same payment again.",
  },
  permit2_proxy_not_deployed: {
    cause: "The x402 proxy contract is not deployed on this network.",
    fix: "Use EIP-3009 on this network, or deploy the proxy.",
  },
  permit2_simulation_failed: {
    cause: "The transfer through Permit2 would revert, for none of the usual reasons.",
    fix: "Trace the call in the explorer.",
  },
  permit2_invalid_amount: { cause: "The amount to settle is zero.", fix: "Settle an amount above zero." },
  permit2_invalid_destination: { cause: "The payee is the zero address.", fix: "Require a payTo that exists." },
  permit2_invalid_owner: { cause: "The payer is the zero address.", fix: "Name the account that signs as from." },
  permit2_payment_too_early: {
    cause: "The chain's clock has not reached the permit's validAfter.",
    fix: 'Sign with witness.validAfter "0".',
  },
  permit2_invalid_nonce: {
    cause: "The permit's nonce was used or cancelled.",
    fix: "Sign again with a fresh random nonce.",
  },
  // Permit2 with an EIP-2612 permit
  invalid_eip2612_extension_format: {
    cause: "The token permit that came with the payment is malformed.",
    fix: "Fill every field of extensions.eip2612GasSponsoring.info, numbers as decimal strings.",
  },
  eip2612_from_mismatch: {
    cause: "The token permit is another account's than the payer's.",
    fix: "Sign the token permit with the payer's key.",
  },
  eip2612_asset_mismatch: {
    cause: "The token permit is for another token than the required asset.",
    fix: "Sign the token permit over the domain of the required asset.",
  },
  eip2612_spender_not_permit2: {
    cause: "The token permit allows somebody else than the Permit2 contract.",
    fix: "Sign the token permit with Permit2 as its spender.",
  },
  eip2612_deadline_expired: {
    cause: "The token permit has expired or expires within six seconds.",
    fix: "Sign the token permit again with a later deadline.",
  },
  permit2_2612_amount_mismatch: {
    cause: "The token permit is for another amount than the Permit2 permit.",
    fix: "Sign both for the same amount.",
  },
  // Permit2 with an approval that the payer signed as a transaction
  invalid_erc20_approval_extension_format: {
    cause: "The signed approval that came with the payment is malformed.",
    fix: "Fill every field of extensions.erc20ApprovalGasSponsoring.info, the amount as a decimal string.",
  },
  erc20_approval_from_mismatch: {
    cause: "The signed approval is another account's than the payer's.",
    fix: "Sign the approval with the payer's key.",
  },
  erc20_approval_asset_mismatch: {
    cause: "The signed approval is for another token than the required asset.",
    fix: "Sign an approval of the required asset.",
  },
  erc20_approval_spender_not_permit2: {
    cause: "The signed approval names somebody else than the Permit2 contract as its spender.",
    fix: "Name Permit2 as the spender.",
  },
  erc20_approval_tx_parse_failed: {
    cause: "The signed approval is no transaction that can be read.",
    fix: "Send the signed bytes of a legacy, EIP-2930 or EIP-1559 transaction, exactly as they would go to a node.",
  },
  erc20_approval_tx_wrong_target: {
    cause: "The signed transaction calls another contract than the token.",
    fix: "Sign a transaction to the required asset.",
  },
  erc20_approval_tx_wrong_selector: {
    cause: "The signed transaction calls another function than approve.",
    fix: "Sign a call of approve(address,uint256).",
  },
  erc20_approval_tx_wrong_spender: {
    cause: "The signed transaction approves somebody else than the Permit2 contract.",
    fix: "Sign a call of approve with Permit2 as the spender.",
  },
  erc20_approval_tx_invalid_calldata: {
    cause: "The signed transaction's calldata is not one approval of at least the permitted amount.",
    fix: "Sign a call of approve(address,uint256) for the permitted amount or more, with nothing behind it.",
  },
  erc20_approval_tx_signer_mismatch: {
    cause: "The signed transaction was signed by somebody else than the payer.",
    fix: "Sign the approval with the payer's key.",
  },
  erc20_approval_tx_invalid_signature: {
    cause: "The signed transaction's signature is nobody's, or one that the network refuses.",
    fix: "Sign the approval again, with s in the lower half (EIP-2).",
  },
  erc20_approval_tx_carries_value: {
    cause: "The signed transaction sends native coins along.",
    fix: "Sign the approval with a value of zero.",
  },
  erc20_approval_tx_wrong_chain: {
    cause: "The signed transaction is not for this chain alone.",
    fix: "Sign the approval for the chain id of the requirement's network (EIP-155).",
  },
  erc20_approval_tx_wrong_nonce: {
    cause: "The signed transaction's nonce is not the payer's next one.",
    fix: "Ask eth_getTransactionCount for the payer's nonce and sign the approval again.",
  },
  erc20_approval_tx_too_expensive: {
    cause:
      "The signed transaction would take more gas, or pay more for it, than this facilitator gives to an approval.",
    fix: "Sign the approval with a gas limit of about 70000 and no more than twice the current price of gas.",
  },
  erc20_approval_tx_fee_too_low: {
    cause: "The signed transaction offers less for gas than the current block asks.",
    fix: "Sign the approval with a maxFeePerGas of about twice the current base fee.",
  },
  erc20_approval_tx_failed: {
    cause: "The approval reverts on the token.",
    fix: "Trace the approval in the explorer; some tokens want an allowance set to zero before another one.",
  },
  erc20_approval_broadcast_failed: {
    cause: "The approval did not get into a block, so the payment was not settled.",
    fix: "Send the same payment again, or approve Permit2 with a transaction of your own.",
  },
  // upto
  invalid_upto_evm_scheme: {
    cause: "The payment and the requirement name different schemes.",
    fix: "Sign for the scheme of the requirement.",
  },
  invalid_upto_evm_network_mismatch: {
    cause: "The payment was made for another network than the requirement's.",
    fix: "Sign for the network of the requirement.",
  },
  upto_facilitator_mismatch: {
    cause: "The permit names another facilitator than this one.",
    fix: "Sign with witness.facilitator equal to the requirement's extra.facilitatorAddress.",
  },
  invalid_upto_evm_payload_settlement_exceeds_amount: {
    cause: "The amount to settle is above what the payer permitted.",
    fix: "Settle at most the permitted amount.",
  },
  upto_amount_exceeds_permitted: {
    cause: "The contract refused an amount above the permitted one.",
    fix: "Settle at most the permitted amount.",
  },
  upto_unauthorized_facilitator: {
    cause: "The settlement was not sent by the facilitator that the permit names.",
    fix: "Settle through the facilitator in witness.facilitator.",
  },
  invalid_upto_evm_transaction_failed: {
    cause: "The settlement transaction was included but reverted.",
    fix: "Open the transaction in the explorer to see why, then pay again.",
  },
  // settlement and machinery
  settlement_pending: {
    cause: "The settlement was sent but is not in a block yet.",
    fix: "Ask GET settlements for extra.paymentId, or settle the same payment again: that continues this settlement and never pays twice.",
  },
  chain_rewound: {
    cause: "A developer took the chain back to a block before the settlement.",
    fix: "Settle the same payment again: nothing of it is on the chain.",
  },
  no_database: {
    cause: "This deployment has no database, so a payment would be forgotten: none is taken.",
    fix: "Set DATABASE_URL to a Postgres database and deploy again.",
  },
  invalid_transaction_state: {
    cause: "The settlement transaction could not be read back from the chain.",
    fix: "Ask to settle the same payment again.",
  },
  unexpected_error: {
    code: "unexpected_verify_error",
    cause: "The facilitator or the network's node failed to answer.",
    fix: "Try again. If the error persists, check the facilitator and the network's node.",
  },
} as const satisfies Record<string, ReasonEntry>;
