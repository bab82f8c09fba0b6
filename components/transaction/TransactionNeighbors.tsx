"use client";
/** Links to the sender's previous and next transactions by nonce, which the keys [ and ] also open. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { toTransactionPath } from "@/lib/links";
import { transactionByNonceQuery } from "@/lib/query/transaction";

const linkClass = "inline-flex! items-center gap-1 text-accent";

export function TransactionNeighbors({ sender, nonce }: { sender: string; nonce: number }) {
  const source = useSource();
  const before = transactionByNonceQuery(source, sender, Math.max(nonce - 1, 0));
  const { data: previous } = useQuery({ ...before, enabled: nonce > 0 });
  const { data: next } = useQuery(transactionByNonceQuery(source, sender, nonce + 1));
  return (
    <nav
      aria-label="Transactions from the same sender"
      className="flex flex-wrap gap-x-4 empty:hidden text-13 leading-6"
    >
      {nonce > 0 && previous && (
        <AppLink
          href={toTransactionPath(source.network, previous.hash)}
          className={linkClass}
          title={`The sender’s previous transaction, with nonce ${nonce - 1}`}
          data-previous
          aria-keyshortcuts="["
        >
          <Icon name="left" />
          Previous
        </AppLink>
      )}
      {next && (
        <AppLink
          href={toTransactionPath(source.network, next.hash)}
          className={linkClass}
          title={`The sender’s next transaction, with nonce ${nonce + 1}`}
          data-next
          aria-keyshortcuts="]"
        >
          Next
          <Icon name="right" />
        </AppLink>
      )}
    </nav>
  );
}
