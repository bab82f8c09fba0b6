/** A transaction's token transfers and their net result. */
import { toMinedTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionTransfers } from "@/components/transaction/TransactionTransfers";

export const generateMetadata = toTabMetadata("Transfers");

export default toMinedTab(TransactionTransfers, async () => undefined);
