/** explorer_getSeries: the latest blocks as points on a chart, each with the payments that the block settled. */
import { toQuantity } from "@/lib/units";
import { countPaymentsByBlock } from "@/server/explorer/payments";
import { encodeBlockSummary } from "@/server/rpc/encodeExplorer";
import { handlers } from "@/server/rpc/ports";

export const chartsHandlers = handlers(["blocks", "index", "payments"], {
  explorer_getSeries: async ({ blocks, index, payments }, limit) => {
    const rows = (await index.listHeaders({ limit })).reverse();
    const sinceMs = (rows[0]?.header.timestamp ?? 0) * 1000;
    const { counts, isCut } = await countPaymentsByBlock(payments, sinceMs, blocks.listMined);
    return {
      blocks: rows.map((row) => {
        const { number, timestamp, baseFeePerGas, gasUsed, gasLimit, transactionCount } = encodeBlockSummary(row);
        const payments = toQuantity(counts.get(row.header.number) ?? 0);
        return { number, timestamp, baseFeePerGas, gasUsed, gasLimit, transactions: transactionCount, payments };
      }),
      paymentsCut: isCut,
    };
  },
});
