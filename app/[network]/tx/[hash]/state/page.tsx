/** The state changes of a transaction. */
import { HydrationBoundary } from "@tanstack/react-query";
import {
  getTransactionSource,
  loadMined,
  type TransactionProps,
  toTabMetadata,
} from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionState } from "@/components/transaction/TransactionState";
import { transactionQuery } from "@/lib/query/queries";
import { stateDiffQuery } from "@/lib/query/transaction";

export const generateMetadata = (props: TransactionProps) => toTabMetadata(props, "State");

export default async function Page(props: TransactionProps) {
  const { source, hash } = await getTransactionSource(props);
  const state = await loadMined(source, hash, (ask) =>
    Promise.all([ask(transactionQuery(source, hash)), ask(stateDiffQuery(source, hash))]),
  );
  return (
    <HydrationBoundary state={state}>
      <TransactionState key={hash} hash={hash} />
    </HydrationBoundary>
  );
}
