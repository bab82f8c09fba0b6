/** explorer_getSeries: the newest blocks as chart points, each with the payments it settled. */
import { toQuantity } from "@/lib/units";
import { countPaymentsByBlock } from "@/server/explorer/payments";
import type { Handler } from "@/server/rpc/context";

export const explorer_getSeries: Handler<"explorer_getSeries"> = async ({ chain: { store }, payments }, limit) => {
  const rows = (await store.listHeaders({ limit })).reverse();
  const sinceMs = (rows[0]?.header.timestamp ?? 0) * 1000;
  const { counts, isCut } = await countPaymentsByBlock(payments, sinceMs, store.listMined);
  return {
    blocks: rows.map(({ header, transactionCount }) => ({
      number: toQuantity(header.number),
      timestamp: toQuantity(header.timestamp),
      baseFeePerGas: header.baseFeePerGas === undefined ? null : toQuantity(header.baseFeePerGas),
      gasUsed: toQuantity(header.gasUsed),
      gasLimit: toQuantity(header.gasLimit),
      transactions: toQuantity(transactionCount),
      payments: toQuantity(counts.get(header.number) ?? 0),
    })),
    paymentsCut: isCut,
  };
};
