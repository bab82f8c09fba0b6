/**
 * The layout shared by the tabs of a mined or pending transaction (EIP-3091). Prefetches the transaction's data once
 * for all tabs.
 */
import type { ReactNode } from "react";
import { listNetworkChoices } from "@/app/[network]/loadPage";
import { type Ask, type TransactionProps, withSteps } from "@/app/[network]/tx/[hash]/loadTransaction";
import { findFailing } from "@/components/trace/failingFrame";
import { TransactionFrame } from "@/components/transaction/TransactionFrame";
import { isFailed, toFailureItems, toInputItem } from "@/components/transaction/transactionItems";
import { poolQuery } from "@/lib/query/explorerQueries";
import { nonceQuery, poolStatusQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";
import {
  decodeQuery,
  latestBlockQuery,
  senderPoolQuery,
  traceQuery,
  transactionEffectsQuery,
} from "@/lib/query/transaction";
import { getNode } from "@/server/node/instance";

export default async function TransactionLayout({ params, children }: TransactionProps & { children: ReactNode }) {
  const [node, { network }] = await Promise.all([getNode(), params]);
  const others = listNetworkChoices(node).filter(({ name }) => name !== network);
  const toPage = (hash: string) => (
    <TransactionFrame key={hash} hash={hash} others={others}>
      {children}
    </TransactionFrame>
  );
  return withSteps({ params }, loadFrame, toPage);
}

async function loadFrame(ask: Ask, source: Source, hash: string): Promise<void> {
  const [transaction, receipt] = await Promise.all([
    ask(transactionQuery(source, hash)),
    ask(receiptQuery(source, hash)),
  ]);
  const item = transaction && toInputItem(transaction);
  await Promise.all([
    item && ask(decodeQuery(source, [item])),
    transaction && ask(transactionEffectsQuery(source, hash)),
  ]);
  if (isFailed(receipt)) {
    const root = await ask(traceQuery(source, hash));
    const failing = root && findFailing(root);
    const { call, error } = failing ? toFailureItems(failing.frame) : {};
    await Promise.all([call, error].map((item) => item && ask(decodeQuery(source, [item]))));
  }
  if (receipt) return;
  const pool = await ask(poolStatusQuery(source, hash));
  const { from } = transaction ?? {};
  await Promise.all([
    pool && pool.status !== "unknown" && ask(poolQuery(source)),
    from && ask(senderPoolQuery(source, from)),
    from && ask(nonceQuery(source, from)),
    from && ask(latestBlockQuery(source)),
  ]);
}
