/**
 * The erc20ApprovalGasSponsoring extension: if the token lacks EIP-2612, the payer includes a signed transaction that
 * approves Permit2. It is accepted only if it does nothing else, costs no more than the facilitator's limit, and can be
 * included in the next block.
 */

import {
  decodeFunctionData,
  isHex,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
} from "viem";
import { erc20Abi } from "@/lib/abi/erc20";
import { type ApprovalTransaction, approvalFieldRules, approvalRules } from "@/lib/x402/rules/approvalRules";
import { isLowS } from "@/lib/x402/signatureForm";
import type { Hex, PaymentPayload } from "@/lib/x402/types";
import { parseSponsoredApproval } from "@/lib/x402/wire";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { PaymentError } from "@/server/x402/reads/error";
import type { Reader } from "@/server/x402/reads/reader";
import { assertRules } from "@/server/x402/schemes/assertRules";
import type { Approval, PaymentTerms, SchemeNetwork } from "@/server/x402/schemes/scheme";
import { findSponsoringInfo } from "@/server/x402/schemes/sponsoring";
import { approvalSponsoringKey } from "@/server/x402/schemes/sponsoringDeclarations";
import { toLower } from "@/server/x402/schemes/transfer";

/** Maximum gas for an approval. It is far more than even a token behind a proxy usually needs. */
const maxApprovalGas = 150_000n;
/**
 * A maximum fee up to this is accepted even if current prices are much lower, unless it exceeds the facilitator's own
 * limit. Client libraries offer one gwei if they can't look up a price. This limit is twice that, to leave a margin.
 */
const alwaysGivenWei = 2_000_000_000n;

/**
 * Returns a payment's approval, or undefined if the payment has none. Throws PaymentError if the approval does not
 * match the payment.
 */
export async function findApproval(
  payload: PaymentPayload,
  terms: PaymentTerms,
  { chainId, contracts }: Pick<SchemeNetwork, "chainId" | "contracts">,
): Promise<Approval | undefined> {
  const info = findSponsoringInfo(
    payload,
    approvalSponsoringKey,
    "signedTransaction",
    parseSponsoredApproval,
    "invalid_erc20_approval_extension_format",
  );
  if (!info) return undefined;
  const named = { info, from: terms.payer, asset: terms.asset, spender: contracts.permit2 };
  assertRules(approvalFieldRules, named, {});
  const raw = toLower(info.signedTransaction);
  const transaction = parse(raw);
  const checked = await toCheckedTransaction(raw, transaction);
  assertRules(approvalRules, { ...named, transaction: checked, chainId, neededUnits: terms.amountUnits }, {});
  const gas = transaction.gas ?? 0n;
  return {
    payer: terms.payer,
    asset: terms.asset,
    spender: contracts.permit2,
    transaction: { hash: keccakHex(toBytes(raw)), raw },
    call: { from: terms.payer, to: terms.asset, data: checked.data, gas: numberToHex(gas) },
    nonce: BigInt(transaction.nonce ?? 0),
    gas,
    maxFeeWei: transaction.maxFeePerGas ?? transaction.gasPrice ?? 0n,
    neededUnits: terms.amountUnits,
  };
}

/**
 * Throws PaymentError if the next block couldn't include the approval, or if it costs more than the facilitator pays.
 */
export async function assertIncludable(
  { payer, nonce, gas, maxFeeWei }: Approval,
  { reader, maxFeeWei: mostWei }: Pick<SchemeNetwork, "reader" | "maxFeeWei">,
): Promise<void> {
  const [mined, pending, { baseFeeWei, tipWei = 0n }] = await Promise.all([
    reader.getTransactionCount(payer, "latest"),
    reader.getTransactionCount(payer, "pending"),
    reader.getFees(),
  ]);
  // An interrupted attempt may have already added this approval to the pool. Its nonce may then be below the pending
  // transaction count.
  if (nonce < mined || nonce > pending) {
    throw new PaymentError(
      "erc20_approval_tx_wrong_nonce",
      `The approval's nonce is ${nonce}; the payer's next nonce is ${pending}.`,
    );
  }
  if (gas > maxApprovalGas) {
    throw new PaymentError(
      "erc20_approval_tx_too_expensive",
      `The approval's gas limit is ${gas}; the facilitator pays for at most ${maxApprovalGas}.`,
    );
  }
  if (maxFeeWei < baseFeeWei) {
    throw new PaymentError(
      "erc20_approval_tx_fee_too_low",
      `The approval pays at most ${maxFeeWei} wei per gas; the current base fee is ${baseFeeWei}.`,
    );
  }
  // Four times the usual price is enough even if fees rise for the next few minutes. The payer keeps what isn't spent.
  const usualWei = (baseFeeWei * 2n + tipWei) * 4n;
  const generousWei = usualWei > alwaysGivenWei ? usualWei : alwaysGivenWei;
  const limitWei = mostWei !== undefined && mostWei < generousWei ? mostWei : generousWei;
  if (maxFeeWei > limitWei) {
    throw new PaymentError(
      "erc20_approval_tx_too_expensive",
      `The approval's maximum fee is ${maxFeeWei} wei per gas; the facilitator pays at most ${limitWei}.`,
    );
  }
}

/** Reads how much of the payer's tokens Permit2 may move. Returns undefined if the asset is not an ERC-20 token. */
export function findAllowance(reader: Reader, { asset, payer, spender }: Approval): Promise<bigint | undefined> {
  return reader.findValue(asset, erc20Abi, "allowance", [payer, spender]);
}

/** Parses a transaction. Accepts only transaction types that do nothing besides their call. */
function parse(raw: Hex): ReturnType<typeof parseTransaction<TransactionSerialized>> {
  let transaction: ReturnType<typeof parseTransaction<TransactionSerialized>>;
  let again: Hex;
  try {
    transaction = parseTransaction(raw as TransactionSerialized);
    const { r, s, v, yParity } = transaction;
    const signature =
      isHex(r) && isHex(s) ? { r, s, v: v ?? 0n, ...(yParity !== undefined && { yParity }) } : undefined;
    again = serializeTransaction(transaction as never, signature as never);
  } catch {
    throw new PaymentError("erc20_approval_tx_parse_failed");
  }
  if (transaction.type !== "legacy" && transaction.type !== "eip2930" && transaction.type !== "eip1559") {
    throw new PaymentError(
      "erc20_approval_tx_parse_failed",
      `Transactions of type ${transaction.type} are not supported; sign a legacy, EIP-2930 or EIP-1559 one.`,
    );
  }
  // Accepts only the canonical encoding, because another encoding of the same transaction would have another hash.
  if (again !== raw) throw new PaymentError("erc20_approval_tx_parse_failed");
  return transaction;
}

async function toCheckedTransaction(raw: Hex, transaction: ReturnType<typeof parse>): Promise<ApprovalTransaction> {
  const { to, data = "0x", s, value = 0n, chainId } = transaction;
  return {
    to: to ?? undefined,
    data,
    call: findApproveCall(data),
    signer: await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }).catch(
      () => undefined,
    ),
    isLowS: s !== undefined && isLowS(s),
    valueWei: value,
    chainId,
  };
}

function findApproveCall(data: Hex): ApprovalTransaction["call"] {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    return functionName === "approve" ? { spender: args[0], units: args[1] } : undefined;
  } catch {
    return undefined;
  }
}
