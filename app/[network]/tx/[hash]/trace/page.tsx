import { askForOwnCall, toMinedTab, toTabMetadata } from "@/app/[network]/tx/[hash]/loadTransaction";
import { listTraceRows, toBatch, toFrameItem } from "@/components/trace/traceRows";
import { TransactionTrace } from "@/components/transaction/TransactionTrace";
import { transactionQuery } from "@/lib/query/queries";
import { decodeQuery, traceQuery } from "@/lib/query/transaction";

export const generateMetadata = toTabMetadata("Trace");

export default toMinedTab(TransactionTrace, async (ask, source, hash) => {
  const [root] = await Promise.all([
    ask(traceQuery(source, hash)),
    ask(transactionQuery(source, hash)),
    askForOwnCall(ask, source, hash),
  ]);
  const items = root ? toBatch(listTraceRows(root), 0) : [];
  const first = root && toFrameItem(root);
  // Decodes the first rows of the tree and the initially selected frame.
  await Promise.all([items, first ? [first] : []].map((list) => list.length > 0 && ask(decodeQuery(source, list))));
});
