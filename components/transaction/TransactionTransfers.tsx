"use client";
/** Every token transfer of a transaction in order, and the net result for each account. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { TokenAmount } from "@/components/atoms/Amount";
import { Icon } from "@/components/atoms/Icon";
import { Empty } from "@/components/layout/Empty";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { isFailed } from "@/components/transaction/transactionItems";
import {
  type BalanceChange,
  listBalanceChanges,
  listMovements,
  type Movement,
  noAddress,
} from "@/lib/decode/transfers";
import { findToken } from "@/lib/networks";
import { plural } from "@/lib/plural";

export function TransactionTransfers({ hash }: { hash: string }) {
  return (
    <TransactionMined hash={hash}>
      {(receipt) => {
        const movements = listMovements(receipt.logs);
        return movements.length === 0 ? (
          <Sheet>
            <Empty level="h2" title="No token transfers">
              <p>
                {isFailed(receipt)
                  ? "The transaction failed, so its transfers were reverted."
                  : "See State for native balance changes."}
              </p>
            </Empty>
          </Sheet>
        ) : (
          <Transfers movements={movements} />
        );
      }}
    </TransactionMined>
  );
}

function Transfers({ movements }: { movements: Movement[] }) {
  const changes = listBalanceChanges(movements);
  const accounts = [...new Set(changes.map(({ account }) => account))];
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Sheet id="net" title="Net changes">
        <dl>
          {accounts.map((account) => (
            <div key={account} className="info-row sm:grid-cols-[16rem_minmax(0,1fr)]">
              <dt>
                <AddressLink copy address={account} />
              </dt>
              <dd className="flex flex-col">
                {changes
                  .filter((change) => change.account === account)
                  .map((change) => (
                    <Change key={`${change.token}${change.id}`} change={change} />
                  ))}
              </dd>
            </div>
          ))}
          {accounts.length === 0 && <p className="px-4 py-3 text-ink-2">Net change is zero for every account.</p>}
        </dl>
      </Sheet>
      <Sheet id="transfers" title={`${movements.length} token ${plural(movements.length, "transfer")}`}>
        <ol>
          {movements.map((movement, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: movements stay in log order
              key={index}
              className="reveals flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b px-4 py-2 last:border-b-0"
            >
              <span className="method mono" title="Index of the log in its block">
                {movement.logIndex}
              </span>
              <Party address={movement.from} none="minted" />
              <Icon name="arrow" className="text-ink-3" />
              <Party address={movement.to} none="burned" />
              <span className="ml-auto inline-flex flex-wrap items-center gap-x-3">
                <Units {...movement} />
                <span className="method">{movement.standard}</span>
              </span>
            </li>
          ))}
        </ol>
      </Sheet>
    </div>
  );
}

function Party({ address, none }: { address: string; none: string }) {
  return address === noAddress ? <span className="text-ink-2">{none}</span> : <AddressLink address={address} />;
}

function Change({ change }: { change: BalanceChange }) {
  const gains = change.amount > 0n;
  return (
    <span className={`flex flex-wrap items-center gap-x-1 ${gains ? "text-pos" : "text-neg"}`}>
      <span className="w-[1ch] text-center">{gains ? "+" : "−"}</span>
      <Units {...change} amount={gains ? change.amount : -change.amount} />
    </span>
  );
}

function Units({ token, amount, id, standard }: Pick<Movement, "token" | "amount" | "id" | "standard">) {
  const isKnown = findToken(useNetwork(), token) !== undefined;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 text-ink">
      {standard !== "ERC-721" && <TokenAmount units={amount} token={token} copy />}
      {id !== undefined && (
        <span className="break-all" title="Token ID">
          #{id.toString()}
        </span>
      )}
      {!isKnown && <AddressLink contract address={token} />}
    </span>
  );
}
