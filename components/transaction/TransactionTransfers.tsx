"use client";
/** What a transaction moved: the net change for each account, the internal transactions, and the token transfers. */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { InternalTransactions } from "@/components/transaction/InternalTransactions";
import { listOwnTransfers, type OwnTransfer } from "@/components/transaction/listOwnTransfers";
import { MovedUnits, NetChanges } from "@/components/transaction/NetChanges";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { toTabPath } from "@/components/transaction/TransactionTabs";
import { isFailed } from "@/components/transaction/transactionItems";
import { listInternalTransactions, listNativeMovements, toFeeWei } from "@/lib/decode/internals";
import { listMovements, noAddress } from "@/lib/decode/transfers";
import { toTokenPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { transactionQuery } from "@/lib/query/queries";
import { traceQuery } from "@/lib/query/transaction";
import type { WireReceipt } from "@/lib/query/wire";

export function TransactionTransfers({ hash }: { hash: string }) {
  return <TransactionMined hash={hash}>{(receipt) => <Transfers receipt={receipt} />}</TransactionMined>;
}

function Transfers({ receipt }: { receipt: WireReceipt }) {
  const source = useSource();
  const gainedNote = (
    <>
      The fee recipient’s gain is under{" "}
      <AppLink href={toTabPath(source.network, receipt.transactionHash, "state")}>State</AppLink>.
    </>
  );
  const { data: root, error } = useQuery(traceQuery(source, receipt.transactionHash));
  const { data: transaction } = useQuery(transactionQuery(source, receipt.transactionHash));
  const movements = listMovements(receipt.logs);
  const transfers = transaction ? listOwnTransfers(transaction, receipt) : movements;
  const internals = root ? listInternalTransactions(root) : [];
  const note = error
    ? "Native transfers are missing: the node can’t trace this transaction."
    : isFailed(receipt)
      ? "The transaction failed, so its transfers were reverted."
      : gainedNote;
  return (
    <div
      className={`grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-6 ${transfers.length > 0 && internals.length === 0 ? "xl:grid-cols-2" : ""}`}
    >
      <NetChanges
        movements={[...(root ? listNativeMovements(root) : []), ...movements]}
        fee={{ payer: receipt.from, wei: toFeeWei(receipt) }}
        note={note}
      />
      {internals.length > 0 && <InternalTransactions hash={receipt.transactionHash} rows={internals} />}
      {transfers.length > 0 && <TransferList hash={receipt.transactionHash} transfers={transfers} />}
    </div>
  );
}

const linkedTag = "method text-accent! no-underline hover:border-accent";

function TransferList({ hash, transfers }: { hash: string; transfers: OwnTransfer[] }) {
  const { network } = useSource();
  return (
    <Sheet id="transfers" title={`${transfers.length} ${plural(transfers.length, "transfer")}`}>
      <ol>
        {transfers.map((movement, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: transfers stay in log order
            key={index}
            className="reveals flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b px-4 py-2 last:border-b-0"
          >
            <PartiesCell
              from={<Party address={movement.from} none="minted" />}
              to={<Party address={movement.to} none="burned" />}
            />
            <span className="ml-auto inline-flex flex-wrap items-center gap-x-3 max-sm:w-full">
              {movement.logIndex !== undefined && (
                <AppLink
                  href={`${toTabPath(network, hash, "logs")}#log-${movement.logIndex}`}
                  className={linkedTag}
                  title="See the log"
                >
                  log {movement.logIndex}
                </AppLink>
              )}
              {movement.standard === "native" ? (
                <span className="method">native</span>
              ) : (
                <AppLink href={toTokenPath(network, movement.token)} className={linkedTag} title="See the token">
                  {movement.standard}
                </AppLink>
              )}
              <span className="max-sm:ml-auto">
                <MovedUnits {...movement} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}

function Party({ address, none }: { address: string; none: string }) {
  return address === noAddress ? <span className="text-ink-2">{none}</span> : <AddressLink address={address} />;
}
