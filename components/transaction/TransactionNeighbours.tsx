"use client";
/** Links to the sender's previous and next transactions by nonce, also with the keys [ and ]. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { toTransactionPath } from "@/lib/links";
import { transactionByNonceQuery } from "@/lib/query/transaction";

export function TransactionNeighbours({ sender, nonce }: { sender: string; nonce: number }) {
  const source = useSource();
  const { data: previous } = useQuery({
    ...transactionByNonceQuery(source, sender, Math.max(nonce - 1, 0)),
    enabled: nonce > 0,
  });
  const { data: next } = useQuery(transactionByNonceQuery(source, sender, nonce + 1));
  return (
    <nav aria-label="Transactions of the same sender" className="flex gap-2">
      {nonce > 0 && previous && (
        <AppLink
          href={toTransactionPath(source.network, previous.hash)}
          className="button"
          data-previous
          aria-keyshortcuts="["
        >
          <Icon name="left" />
          Nonce {nonce - 1}
        </AppLink>
      )}
      {next && (
        <AppLink href={toTransactionPath(source.network, next.hash)} className="button" data-next aria-keyshortcuts="]">
          Nonce {nonce + 1}
          <Icon name="right" />
        </AppLink>
      )}
    </nav>
  );
}
