/** A transaction's bytes, receipt and JSON. */
import { toTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionRaw } from "@/components/transaction/TransactionRaw";
import { receiptQuery, transactionQuery } from "@/lib/query/queries";
import { rawTransactionQuery } from "@/lib/query/transaction";

export const generateMetadata = toTabMetadata("Raw");

export default toTab(TransactionRaw, (ask, source, hash) =>
  Promise.all([
    ask(transactionQuery(source, hash)),
    ask(receiptQuery(source, hash)),
    ask(rawTransactionQuery(source, hash)),
  ]),
);
