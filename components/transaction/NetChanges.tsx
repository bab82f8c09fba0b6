"use client";
/**
 * Who gained and lost what in a transaction. Lists changes in native and other tokens by account, in the order of the
 * transfers. An account that only paid the fee comes last.
 */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost, NativeAmount } from "@/components/atoms/Amount";
import { Sheet } from "@/components/layout/Sheet";
import { AnyTokenAmount, TokenLink } from "@/components/token/TokenParts";
import { type BalanceChange, listBalanceChanges, type Movement } from "@/lib/decode/transfers";

type Fee = { payer: string; wei: bigint };

type Props = {
  movements: readonly Omit<Movement, "logIndex">[];
  fee?: Fee | undefined;
  /** What the list doesn't include. */
  note?: ReactNode;
};

export function NetChanges(props: Props) {
  return (
    <Sheet id="net" title="Net changes">
      <NetChangeList {...props} />
    </Sheet>
  );
}

export function NetChangeList({ movements, fee, note }: Props) {
  const changes = listBalanceChanges(movements);
  const payer = fee && fee.wei > 0n ? fee.payer : undefined;
  const parties = [...movements.flatMap(({ from, to }) => [from, to]), ...(payer === undefined ? [] : [payer])];
  const hasChanged = (party: string) => changes.some(({ account }) => account === party);
  const accounts = [...new Set(parties)].filter((party) => party === payer || hasChanged(party));
  return (
    <>
      <ul aria-label="Net changes">
        {accounts.map((account) => (
          <Line key={account} account={account}>
            {changes
              .filter((change) => change.account === account)
              .map((change) => (
                <Change key={`${change.token}${change.id}`} change={change} />
              ))}
            {fee && account === payer && (
              <span className="flex flex-wrap items-center justify-end gap-x-3">
                <span className="method">Fee</span>
                <Signed amount={-fee.wei}>
                  <GasCost wei={fee.wei} />
                </Signed>
              </span>
            )}
          </Line>
        ))}
      </ul>
      {accounts.length === 0 && <p className="px-4 py-3 text-ink-2">No account gained or lost anything.</p>}
      {note && <p className="border-line border-t px-4 py-2 text-13 text-ink-2">{note}</p>}
    </>
  );
}

function Line({ account, children }: { account: string; children: ReactNode }) {
  return (
    <li className="net-change reveals flex flex-wrap items-center gap-x-2 border-line border-b px-4 py-2 leading-6 last:border-b-0 sm:items-start sm:gap-x-3 sm:py-1.5">
      <AddressLink full address={account} />
      <span className="ml-auto flex min-w-0 flex-col items-end">{children}</span>
    </li>
  );
}

function Signed({ amount, children }: { amount: bigint; children: ReactNode }) {
  const gains = amount > 0n;
  return (
    <span className={`inline-flex flex-wrap items-center justify-end font-medium ${gains ? "text-pos" : "text-neg"}`}>
      <span>{gains ? "+" : "−"}</span>
      {children}
    </span>
  );
}

function Change({ change }: { change: BalanceChange }) {
  return (
    <Signed amount={change.amount}>
      <MovedUnits {...change} amount={change.amount < 0n ? -change.amount : change.amount} />
    </Signed>
  );
}

/** What a transfer moved: an amount with its symbol, or an NFT. */
export function MovedUnits({ token, amount, id, standard }: Pick<Movement, "token" | "amount" | "id" | "standard">) {
  if (standard === "native") return <NativeAmount wei={amount} digits={24} />;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2">
      {standard === "ERC-20" && <AnyTokenAmount linked token={token} units={amount} digits={24} />}
      {standard !== "ERC-20" && (
        <>
          {standard === "ERC-1155" && `${amount} ×`}
          <TokenLink token={token} />
          <span className="break-all" title="Token ID">
            #{id?.toString()}
          </span>
        </>
      )}
    </span>
  );
}
