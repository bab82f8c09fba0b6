"use client";
/** Sends test money from an embedded network's faucet to any address, and shows the transactions once they are mined. */
import { type FormEvent, useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Icon } from "@/components/atoms/Icon";
import { TextField } from "@/components/atoms/TextField";
import { TxLink } from "@/components/atoms/TxLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { listFaucetAmounts, toFaucetMessage, useFaucet } from "@/components/wallet/useFaucet";
import { addressHint, isAddress } from "@/lib/address";

export function FaucetForm() {
  const network = useNetwork();
  const [isInvalid, setInvalid] = useState(false);
  const [sent, setSent] = useState<{ address: string; transactions: readonly `0x${string}`[] }>();
  const faucet = useFaucet();
  const failure = isInvalid ? addressHint : faucet.error && toFaucetMessage(faucet.error);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const address = String(new FormData(event.currentTarget).get("address")).trim();
    setInvalid(!isAddress(address));
    if (!isAddress(address) || faucet.isPending) return;
    faucet.mutate(address, {
      onSuccess: ({ nativeTransaction, tokenTransactions }) =>
        setSent({ address, transactions: [nativeTransaction, ...tokenTransactions] }),
    });
  }

  return (
    <Sheet id="faucet" title="Faucet">
      <div className="xl:flex xl:items-end">
        <form className="filter-row border-b-0! xl:w-136" onSubmit={submit} noValidate>
          <TextField
            label="Address"
            id="recipient"
            name="address"
            placeholder="0x…"
            aria-invalid={isInvalid}
            aria-describedby="faucet-result"
          />
          <button
            type="submit"
            className="button button-primary self-start sm:self-end"
            aria-disabled={faucet.isPending}
          >
            {faucet.isPending ? "Sending…" : "Get test money"}
          </button>
        </form>
        <div
          id="faucet-result"
          role="status"
          className="flex min-w-0 flex-col gap-1 px-4 pb-3 max-sm:min-h-13 xl:flex-1 xl:pb-4 text-13 text-ink-2"
        >
          {failure && <p className="text-neg">{failure}</p>}
          {sent && <Sent {...sent} />}
          {!failure && !sent && (
            <p>Sends {listFaucetAmounts(network)}. Each address can receive test money once a minute.</p>
          )}
        </div>
      </div>
    </Sheet>
  );
}

/** What the faucet sent last, which stays if the next request fails. */
function Sent({ address, transactions }: { address: string; transactions: readonly `0x${string}`[] }) {
  const network = useNetwork();
  const units = [network.nativeCurrency, ...network.tokens];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <Icon name="check" className="text-pos" />
        Sent {listFaucetAmounts(network)} to <AddressLink address={address} />
      </p>
      <p className="flex flex-wrap items-center gap-x-4">
        {transactions.map((hash, at) => (
          <span key={hash} className="inline-flex items-center gap-x-2">
            {units[at]?.symbol} <TxLink hash={hash} />
          </span>
        ))}
      </p>
    </>
  );
}
