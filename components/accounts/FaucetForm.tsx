"use client";
/** Sends test money from an embedded network's faucet to any address, and shows the transactions once they are mined. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Icon } from "@/components/atoms/Icon";
import { TextField } from "@/components/atoms/TextField";
import { TxLink } from "@/components/atoms/TxLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { FundingError, fundAndWait } from "@/components/wallet/fundAndWait";
import { findNodeMessage } from "@/components/wallet/nodeMessage";
import { addressHint, isAddress } from "@/lib/address";
import { faucetAmounts, type Network } from "@/lib/networks";

/** "10 MON, 100 USDC, and 100 PUSD" */
function listAmounts({ nativeCurrency, tokens }: Network): string {
  const amounts = [
    `${faucetAmounts.native} ${nativeCurrency.symbol}`,
    ...tokens.map(({ symbol }) => `${faucetAmounts.token} ${symbol}`),
  ];
  return new Intl.ListFormat("en-US", { style: "long" }).format(amounts);
}

function toMessage(error: Error): string {
  return error instanceof FundingError ? error.message : (findNodeMessage(error) ?? error.message);
}

export function FaucetForm() {
  const { network, source } = useNetworkContext();
  const [isInvalid, setInvalid] = useState(false);
  const [sent, setSent] = useState<{ address: string; transactions: readonly `0x${string}`[] }>();
  const faucet = useMutation({
    mutationFn: (address: string) => fundAndWait(source, address),
    onSuccess: ({ nativeTransaction, tokenTransactions }, address) =>
      setSent({ address, transactions: [nativeTransaction, ...tokenTransactions] }),
  });
  const failure = isInvalid ? addressHint : faucet.error && toMessage(faucet.error);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const address = String(new FormData(event.currentTarget).get("address")).trim();
    setInvalid(!isAddress(address));
    if (isAddress(address) && !faucet.isPending) faucet.mutate(address);
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
          {!failure && !sent && <p>Sends {listAmounts(network)}. Each address can receive test money once a minute.</p>}
        </div>
      </div>
    </Sheet>
  );
}

/** What the faucet sent last, which stays if the next request fails. */
function Sent({ address, transactions }: { address: string; transactions: readonly `0x${string}`[] }) {
  const { network } = useNetworkContext();
  const units = [network.nativeCurrency, ...network.tokens];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <Icon name="check" className="text-pos" />
        Sent {listAmounts(network)} to <AddressLink address={address} />
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
