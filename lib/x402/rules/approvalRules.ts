/**
 * Rules for a payment's signed approval of Permit2 (erc20ApprovalGasSponsoring), in the order of the reference
 * facilitator. Additional rules come last.
 */
import { createRuleBuilder } from "@/lib/x402/rules/rule";
import { type SponsoredTerms, toAddressRule, toSponsoredRules } from "@/lib/x402/rules/sponsoredRules";
import type { Hex } from "@/lib/x402/types";

/** The parts of the signed transaction that the rules check. */
export type ApprovalTransaction = {
  to: Hex | undefined;
  data: Hex;
  /** undefined if the data is not a call to `approve`. */
  call: { spender: Hex; units: bigint } | undefined;
  /** undefined if no signer can be recovered. */
  signer: Hex | undefined;
  isLowS: boolean;
  valueWei: bigint;
  chainId: number | undefined;
};

export type ApprovalTerms = SponsoredTerms & {
  transaction: ApprovalTransaction;
  chainId: number;
  neededUnits: bigint;
};

const approveSelector = "0x095ea7b3";
/** The length of the call to `approve` as a hex string: the 0x prefix, the selector and two words. */
const approveLength = 2 + 8 + 2 * 64;

/**
 * The rules for the approval's fields other than its transaction. They are checked before the transaction is parsed.
 */
export const approvalFieldRules = toSponsoredRules({
  from: "erc20_approval_from_mismatch",
  asset: "erc20_approval_asset_mismatch",
  spender: "erc20_approval_spender_not_permit2",
});

const rule = createRuleBuilder<ApprovalTerms, object>();

export const approvalRules = [
  toAddressRule<ApprovalTerms>("target", "erc20_approval_tx_wrong_target", {
    findAsked: ({ asset }) => asset,
    findGiven: ({ transaction }) => transaction.to,
  }),
  rule({
    name: "selector",
    reason: "erc20_approval_tx_wrong_selector",
    needs: [],
    holds: ({ transaction }) => transaction.data.startsWith(approveSelector),
    asked: () => approveSelector,
    given: ({ transaction }) => transaction.data.slice(0, approveSelector.length),
  }),
  toAddressRule<ApprovalTerms>("approved spender", "erc20_approval_tx_wrong_spender", {
    applies: ({ transaction }) => transaction.call !== undefined,
    findAsked: ({ spender }) => spender,
    findGiven: ({ transaction }) => transaction.call?.spender,
  }),
  rule({
    name: "approved amount",
    reason: "erc20_approval_tx_invalid_calldata",
    needs: [],
    holds: ({ transaction: { call, data }, neededUnits }) =>
      call !== undefined && call.units >= neededUnits && data.length === approveLength,
    asked: ({ neededUnits, asset }) => ({ units: String(neededUnits), asset }),
    given: ({ transaction: { call, data }, asset }) => (call ? { units: String(call.units), asset } : data),
  }),
  toAddressRule<ApprovalTerms>("signer", "erc20_approval_tx_signer_mismatch", {
    applies: ({ transaction }) => transaction.signer !== undefined,
    findAsked: ({ from }) => from,
    findGiven: ({ transaction }) => transaction.signer,
  }),
  rule({
    name: "signature",
    reason: "erc20_approval_tx_invalid_signature",
    needs: [],
    holds: ({ transaction }) => transaction.signer !== undefined && transaction.isLowS,
    asked: () => "s ≤ n/2",
    given: ({ transaction }) => (transaction.isLowS ? "s ≤ n/2" : "s > n/2"),
  }),
  rule({
    name: "value",
    reason: "erc20_approval_tx_carries_value",
    needs: [],
    holds: ({ transaction }) => transaction.valueWei === 0n,
    asked: () => "0",
    given: ({ transaction }) => String(transaction.valueWei),
  }),
  rule({
    name: "chain",
    reason: "erc20_approval_tx_wrong_chain",
    needs: [],
    holds: ({ transaction, chainId }) => transaction.chainId === chainId,
    asked: ({ chainId }) => String(chainId),
    given: ({ transaction }) => String(transaction.chainId ?? "?"),
  }),
];
