/** Builds the details of the steps that were read from the ledger and the chain. */
import { formatInteger } from "@/lib/units";
import { type PartsByKind, toJsonParts, toMs, toSummary } from "./flowPart";

type ChainKind = "funded" | "approval" | "ledger" | "mined" | "final" | "balances";

const partyLabels = { payer: "Payer", payee: "Payee" };

export const chainParts: PartsByKind<ChainKind> = {
  funded: ({ transaction }) => [toSummary(["Transaction", { transaction }])],
  approval: ({ spender, transaction }) => [
    toSummary(["Spender", { address: spender }], ["Transaction", { transaction }]),
  ],
  ledger: ({ payment }) => [
    toSummary(
      ["State", payment.state],
      ["error", payment.reason ?? undefined],
      ...payment.steps.map(({ state, at }) => [state, toMs(Number(at) - Number(payment.createdAt))] as const),
    ),
    ...toJsonParts("explorer_getPayment", payment),
  ],
  mined: ({ receipt, batchSize }) => {
    const gas = BigInt(receipt.gasUsed);
    const price = receipt.effectiveGasPrice;
    return [
      toSummary(
        ["Block", { block: Number(receipt.blockNumber) }],
        ["Gas", formatInteger(gas)],
        ["Cost", price ? `${formatInteger(gas * BigInt(price))} wei` : undefined],
        ["Paid by", { address: receipt.from }],
        ["Payments in transaction", batchSize === undefined ? undefined : String(batchSize)],
      ),
      ...toJsonParts("eth_getTransactionReceipt", receipt),
    ];
  },
  final: ({ block, finalized }) => [toSummary(["Block", { block }], ["Latest finalized block", { block: finalized }])],
  balances({ asset, changes }, { formatAmount }) {
    const label = "Balances before and after";
    const rows = changes.map(({ party, before, after }) => ({
      label: partyLabels[party],
      value: `${formatAmount({ asset, amount: before })} → ${formatAmount({ asset, amount: after })}`,
    }));
    return [{ tab: "summary", label, rows }, ...toJsonParts(label, changes)];
  },
};
