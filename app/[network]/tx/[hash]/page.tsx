/** A transaction's overview. */
import { askForOwnCall, toTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionOverview } from "@/components/transaction/TransactionOverview";
import { paymentQuery, transactionQuery } from "@/lib/query/queries";

export const generateMetadata = toTabMetadata();

export default toTab(TransactionOverview, (ask, source, hash) =>
  Promise.all([ask(transactionQuery(source, hash)), ask(paymentQuery(source, hash)), askForOwnCall(ask, source, hash)]),
);
