import { toMinedTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionState } from "@/components/transaction/TransactionState";
import { blockSummaryQuery, transactionQuery } from "@/lib/query/queries";
import { stateDiffQuery } from "@/lib/query/transaction";

export const generateMetadata = toTabMetadata("State");

export default toMinedTab(TransactionState, async (ask, source, hash) => {
  const [transaction] = await Promise.all([ask(transactionQuery(source, hash)), ask(stateDiffQuery(source, hash))]);
  const block = transaction?.blockNumber;
  if (block) await ask(blockSummaryQuery(source, Number(block)));
});
