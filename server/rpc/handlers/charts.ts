/** explorer_getSeries: the newest blocks as chart points, each with the payments it settled. */
import { toQuantity } from "@/lib/units";
import { countPaymentsByBlock } from "@/server/explorer/payments";
import { handlers } from "@/server/rpc/ports";

export const chartsHandlers = handlers(["blocks", "index", "payments"], {
  explorer_getSeries: async ({ blocks, index, payments }, limit) => {
    const rows = (await index.listHeaders({ limit })).reverse();
    const sinceMs = (rows[0]?.header.timestamp ?? 0) * 1000;
    const { counts, isCut } = await countPaymentsByBlock(payments, sinceMs, blocks.listMined);
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
  },
});
