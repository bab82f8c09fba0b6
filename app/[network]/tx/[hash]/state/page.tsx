import { askForBlock, toMinedTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionState } from "@/components/transaction/TransactionState";
import { stateDiffQuery } from "@/lib/query/transaction";

export const generateMetadata = toTabMetadata("State");

export default toMinedTab(TransactionState, (ask, source, hash) =>
  Promise.all([askForBlock(ask, source, hash), ask(stateDiffQuery(source, hash))]),
);
