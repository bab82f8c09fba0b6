import { toMinedTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionLogs } from "@/components/transaction/TransactionLogs";
import { toLogItems } from "@/components/transaction/transactionItems";
import { receiptQuery } from "@/lib/query/queries";
import { decodeQuery } from "@/lib/query/transaction";

export const generateMetadata = toTabMetadata("Logs");

export default toMinedTab(TransactionLogs, async (ask, source, hash) => {
  const receipt = await ask(receiptQuery(source, hash));
  if (receipt && receipt.logs.length > 0) await ask(decodeQuery(source, toLogItems(receipt.logs)));
});
