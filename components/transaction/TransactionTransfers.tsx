"use client";
/** What a transaction moved: the net change for each account, the internal transactions, and the token transfers. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { InternalTransactions } from "@/components/transaction/InternalTransactions";
import { listOwnTransfers, type OwnTransfer } from "@/components/transaction/listOwnTransfers";
import { MovedUnits, NetChanges } from "@/components/transaction/NetChanges";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { toTabPath } from "@/components/transaction/TransactionTabs";
import { TransferHead, TransferRow, transferListClass } from "@/components/transaction/TransferRow";
import { isFailed } from "@/components/transaction/transactionItems";
import { listInternalTransactions, listNativeMovements, toFeeWei } from "@/lib/decode/internals";
import { listMovements, noAddress } from "@/lib/decode/transfers";
import { plural } from "@/lib/plural";
import { transactionQuery } from "@/lib/query/queries";
import { traceQuery } from "@/lib/query/transaction";
import type { WireReceipt } from "@/lib/query/wire";

export function TransactionTransfers({ hash }: { hash: string }) {
  return <TransactionMined hash={hash}>{(receipt) => <Transfers receipt={receipt} />}</TransactionMined>;
}

function Transfers({ receipt }: { receipt: WireReceipt }) {
  const source = useSource();
  const stateNote = (
    <>
      See all balance changes under{" "}
      <AppLink href={toTabPath(source.network, receipt.transactionHash, "state")}>State</AppLink>.
    </>
  );
  const { data: root, error } = useQuery(traceQuery(source, receipt.transactionHash));
  const { data: transaction } = useQuery(transactionQuery(source, receipt.transactionHash));
  const movements = listMovements(receipt.logs);
  const transfers = transaction ? listOwnTransfers(transaction, receipt) : movements;
  const internals = root ? listInternalTransactions(root) : [];
  // The net changes of a single transfer would only repeat it.
  const isSingle = transfers.length === 1 && internals.length === 0;
  const note = error
    ? "Native transfers are missing: the node can’t trace this transaction."
    : isFailed(receipt)
      ? "The transaction failed, so its transfers were reverted."
      : stateNote;
  const feeWei = toFeeWei(receipt);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {!isSingle && (
        <NetChanges
          movements={[...(root ? listNativeMovements(root) : []), ...movements]}
          fee={{ payer: receipt.from, wei: feeWei }}
          note={note}
        />
      )}
      {internals.length > 0 && <InternalTransactions hash={receipt.transactionHash} rows={internals} />}
      {transfers.length > 0 && (
        <TransferList hash={receipt.transactionHash} transfers={transfers}>
          {isSingle && (
            <p className="border-line border-t px-4 py-2 text-13 text-ink-2">
              {feeWei > 0n && (
                <>
                  <AddressLink address={receipt.from} /> also paid a fee of <GasCost wei={feeWei} />.{" "}
                </>
              )}
              {note}
            </p>
          )}
        </TransferList>
      )}
    </div>
  );
}

function TransferList({ hash, transfers, children }: { hash: string; transfers: OwnTransfer[]; children: ReactNode }) {
  const { network } = useSource();
  return (
    <Sheet
      id="transfers"
      title={`${transfers.length} ${plural(transfers.length, "transfer")}`}
      aside={<DataLinks method="eth_getTransactionReceipt" params={[hash]} />}
    >
      <ol aria-label="Transfers" className={transferListClass}>
        <TransferHead source="Kind" />
        {transfers.map((movement, index) => (
          <TransferRow
            // biome-ignore lint/suspicious/noArrayIndexKey: transfers stay in log order
            key={index}
            from={<Party address={movement.from} none="minted" />}
            to={<Party address={movement.to} none="burned" />}
            amount={<MovedUnits {...movement} />}
          >
            <span className="method">{movement.standard}</span>
            {movement.logIndex !== undefined && (
              <AppLink
                href={`${toTabPath(network, hash, "logs")}#log-${movement.logIndex}`}
                className="text-13 text-accent"
              >
                Log #{movement.logIndex}
              </AppLink>
            )}
          </TransferRow>
        ))}
      </ol>
      {children}
    </Sheet>
  );
}

function Party({ address, none }: { address: string; none: string }) {
  return address === noAddress ? <span className="text-ink-2">{none}</span> : <AddressLink full address={address} />;
}
