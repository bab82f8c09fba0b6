/** A transaction's logs, decoded and raw. */
import { HydrationBoundary } from "@tanstack/react-query";
import {
  getTransactionSource,
  loadMined,
  type TransactionProps,
  toTabMetadata,
} from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionLogs } from "@/components/transaction/TransactionLogs";
import { toLogItems } from "@/components/transaction/transactionItems";
import { receiptQuery } from "@/lib/query/queries";
import { decodeQuery } from "@/lib/query/transaction";

export const generateMetadata = (props: TransactionProps) => toTabMetadata(props, "Logs");

export default async function Page(props: TransactionProps) {
  const { source, hash } = await getTransactionSource(props);
  const state = await loadMined(source, hash, async (ask) => {
    const receipt = await ask(receiptQuery(source, hash));
    if (receipt && receipt.logs.length > 0) await ask(decodeQuery(source, toLogItems(receipt.logs)));
  });
  return (
    <HydrationBoundary state={state}>
      <TransactionLogs key={hash} hash={hash} />
    </HydrationBoundary>
  );
}
