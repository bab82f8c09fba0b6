/**
 * A transaction's tree of calls.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import {
  getTransactionSource,
  loadMined,
  type TransactionProps,
  toTabMetadata,
} from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionTrace } from "@/components/explorer/TransactionTrace";
import { listTraceRows, toBatch } from "@/components/trace/traceRows";
import { t } from "@/lib/messages/translate";
import { decodeQuery, traceQuery } from "@/lib/query/transaction";

export const generateMetadata = (props: TransactionProps) => toTabMetadata(props, t("txTabs.trace"));

export default async function Page(props: TransactionProps) {
  const { source, hash } = await getTransactionSource(props);
  const state = await loadMined(source, hash, async (ask) => {
    const root = await ask(traceQuery(source, hash));
    const items = root ? toBatch(listTraceRows(root), 0) : [];
    if (items.length > 0) await ask(decodeQuery(source, items));
  });
  return (
    <HydrationBoundary state={state}>
      <TransactionTrace key={hash} hash={hash} />
    </HydrationBoundary>
  );
}
