/** A transaction's transfers, and how much each account gained or lost in total. */
import { toMinedTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionTransfers } from "@/components/transaction/TransactionTransfers";
import { traceQuery } from "@/lib/query/transaction";

export const generateMetadata = toTabMetadata("Transfers");

export default toMinedTab(TransactionTransfers, (ask, source, hash) => ask(traceQuery(source, hash)));
