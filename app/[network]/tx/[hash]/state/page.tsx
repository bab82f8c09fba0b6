import { toMinedTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionState } from "@/components/transaction/TransactionState";
import { transactionQuery } from "@/lib/query/queries";
import { stateDiffQuery } from "@/lib/query/transaction";

export const generateMetadata = toTabMetadata("State");

export default toMinedTab(TransactionState, (ask, source, hash) =>
  Promise.all([ask(transactionQuery(source, hash)), ask(stateDiffQuery(source, hash))]),
);
