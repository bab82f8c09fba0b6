/**
 * The content of the wallet dialog. Shows the list of connectors until an account is connected. Then shows the account
 * with its balances, network and faucet, and the key if it's a burner.
 */
"use client";

import { useQueries, useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import {
  type Connector,
  type UseSwitchChainReturnType,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  useSwitchChain,
} from "wagmi";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toAmountShape } from "@/components/lists/amountShape";
import { toSectionPath, toTokenPath } from "@/lib/links";
import { balanceQuery, tokenBalanceQuery } from "@/lib/query/queries";
import { AddNetwork } from "./AddNetwork";
import { BurnerKey, quietClass } from "./BurnerKey";
import { burnerConnectorId, toBurnerElsewhereText } from "./burnerConnector";
import { findBurnerKey } from "./burnerKey";
import { isWalletBarred } from "./payer";
import { findMainnetSentence } from "./signingRule";
import { useFaucet } from "./useFaucet";
import { WalletIcon } from "./WalletIcon";
import { nameDeclined, toFailureMessage } from "./walletError";

const sectionClass = "-mx-4 flex flex-col gap-3 border-line border-t px-4 pt-3";

export function WalletPanel() {
  const { status } = useConnection();
  // The state of the network switch is kept here, because the switch may finish after the list of connectors is gone.
  const switching = useSwitchChain();
  return (
    <div className="flex flex-col gap-3 p-4">
      {status === "connected" ? <ConnectedAccount switching={switching} /> : <ConnectorList switching={switching} />}
    </div>
  );
}

/** False if the browser blocks storage. Connecting then explains it. */
function hasBurnerKey(): boolean {
  try {
    return findBurnerKey() !== undefined;
  } catch {
    return false;
  }
}

type Switching = { switching: UseSwitchChainReturnType };

function Failure({ error }: { error: unknown }) {
  return error ? (
    <p role="alert" className="notice notice-neg">
      {toFailureMessage(error)}
    </p>
  ) : null;
}

function ConnectorList({ switching }: Switching) {
  const connectors = useConnectors();
  const { network } = useNetworkContext();
  const { mutateAsync: connect, isPending, variables, error } = useConnect();
  const burner = connectors.find(({ id }) => id === burnerConnectorId);
  const mainnetSentence = findMainnetSentence(network);
  const injected = mainnetSentence ? [] : connectors.filter(({ id }) => id !== burnerConnectorId);
  const offered = network.embedded && burner ? [burner, ...injected] : injected;

  /** Connects first, and then switches the network. A visitor who declines the switch stays connected. */
  async function choose(connector: Connector): Promise<void> {
    if (connector === burner) {
      await connect({ connector, chainId: network.chainId });
      return;
    }
    const { chainId } = await connect({ connector });
    if (chainId !== network.chainId) switching.mutate({ chainId: network.chainId, connector });
  }

  return (
    <>
      <ul className="flex flex-col gap-2">
        {offered.map((connector) => (
          <li key={connector.uid}>
            <button
              type="button"
              className="flex w-full items-center gap-3 rounded-md border border-edge bg-surface px-3 py-2.5 text-left enabled:hover:bg-hover"
              disabled={isPending}
              // An error is shown below the list.
              onClick={() => choose(connector).catch(() => undefined)}
            >
              <WalletIcon icon={connector.icon} />
              <span className="flex min-w-0 flex-col items-start">
                <span className="font-medium">{connector === burner ? "Burner account" : connector.name}</span>
                <span className="text-pretty text-left text-12 text-ink-2">
                  {connector === burner
                    ? `A throwaway account for local and test networks. ${hasBurnerKey() ? "This browser still has its key." : "This browser creates and stores its key."}`
                    : isPending && variables.connector === connector
                      ? "Confirm in your wallet…"
                      : "Browser extension"}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {injected.length === 0 && (
        <p className="text-13 text-ink-2">
          {mainnetSentence ??
            "No browser wallet detected. If you install an extension such as MetaMask, it will appear here."}
        </p>
      )}
      <Failure error={nameDeclined(error, "the connection")} />
    </>
  );
}

function ConnectedAccount({ switching }: Switching) {
  const connection = useConnection();
  const { address, chainId, connector } = connection;
  const { network } = useNetworkContext();
  const { mutate: disconnect } = useDisconnect();
  const { mutate: switchChain, error: switchError, isPending: isSwitching, reset } = switching;
  if (!address) return null;
  const isBurner = connector?.id === burnerConnectorId;
  const isBarred = isWalletBarred(connection, network);
  return (
    <>
      <div className="flex flex-col gap-1">
        <p className="[&_a]:text-accent">
          <AddressLink address={address} full />
        </p>
        <div className="flex items-start justify-between gap-4 leading-6">
          <p className="text-13 text-ink-2">
            Connected with {isBurner ? "a burner account" : (connector?.name ?? "")}
            {chainId === network.chainId && ` on ${network.label}, chain\u00a0${chainId}`}
          </p>
          <button
            type="button"
            className={`${quietClass} -mt-0.5`}
            onClick={() => disconnect(undefined, { onSuccess: reset })}
          >
            Disconnect
          </button>
        </div>
      </div>
      {isBarred && <BarredWallet />}
      {!isBarred && chainId !== network.chainId && !(isBurner && network.embedded) && (
        <div className="notice notice-warn flex flex-col items-start gap-2">
          {isBurner
            ? toBurnerElsewhereText(network.label)
            : `The wallet is on chain ${chainId ?? "?"}, but this page shows ${network.label} (chain ${network.chainId}).`}
          {!isBurner && (
            <button
              type="button"
              className="button"
              disabled={isSwitching}
              onClick={() => switchChain({ chainId: network.chainId })}
            >
              {isSwitching ? "Confirm in your wallet…" : `Switch to ${network.label}`}
            </button>
          )}
        </div>
      )}
      {chainId !== network.chainId && <Failure error={nameDeclined(switchError, `the switch to ${network.label}`)} />}
      <Balances key={address} address={address} />
      {!isBurner && !isBarred && network.isLocal && network.publicChain && chainId === network.chainId && (
        <div className={sectionClass}>
          <AddNetwork>
            <p className="text-pretty text-13 text-ink-2">
              Does your wallet show other balances? Then its chain {chainId} is the real {network.publicChain.name}. To
              use this simulation, add its network.
            </p>
          </AddNetwork>
        </div>
      )}
      {isBurner && (
        <div className={sectionClass}>
          <p className="text-pretty text-13 text-ink-2">
            {network.isLocal && network.publicChain
              ? `This random account is for this simulation only. Its signatures are valid on ${network.publicChain.name} too, so never send real assets to it.`
              : "This random account is for test money only. Never send real assets to it."}{" "}
            To use another wallet, disconnect this account. Its key stays in this browser until you delete it.
          </p>
          <BurnerKey />
        </div>
      )}
    </>
  );
}

/** Offers another way to sign if the connected wallet must not sign here. */
function BarredWallet() {
  const { network } = useNetworkContext();
  const burner = useConnectors().find(({ id }) => id === burnerConnectorId);
  const { mutate: connect, isPending, error } = useConnect();
  return (
    <div className="notice notice-warn flex flex-col items-start gap-2">
      {findMainnetSentence(network)}
      {network.embedded && burner && (
        <button
          type="button"
          className="button"
          disabled={isPending}
          onClick={() => connect({ connector: burner, chainId: network.chainId })}
        >
          Use a burner account
        </button>
      )}
      <Failure error={error} />
    </div>
  );
}

function Balances({ address }: { address: `0x${string}` }) {
  const { network, source } = useNetworkContext();
  const { tokens, nativeCurrency } = network;
  const native = useQuery(balanceQuery(source, address));
  const held = useQueries({ queries: tokens.map((token) => tokenBalanceQuery(source, token.address, address)) });
  const faucet = useFaucet();
  const path = usePathname();
  const playground = toSectionPath(network.name, "playground");
  const balances = [
    { unit: nativeCurrency, data: native.data },
    ...tokens.map((unit, at) => ({ unit, data: held[at]?.data })),
  ].map(({ unit, data }) => ({ unit, units: data === undefined || data === "0x" ? undefined : BigInt(data) }));
  const { fractionDigits } = toAmountShape(
    balances.flatMap(({ unit, units }) => (units === undefined ? [] : [{ unit, units }])),
  );
  const shape = { fractionDigits, unitAligned: true };
  return (
    <div className={sectionClass}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        {/* The decimal points align on phones too. */}
        <ul
          aria-label="Balances"
          className="flex flex-col gap-1 text-right text-14 leading-6 [&_.fill]:inline [&_.unit]:inline-block [&_.unit]:min-w-[3.08em] [&_.unit]:whitespace-pre [&_.unit]:text-left"
        >
          {balances.map(({ unit, units }) => (
            <li key={unit.symbol}>
              {units === undefined ? (
                "…"
              ) : "address" in unit ? (
                <AppLink href={toTokenPath(network.name, unit.address)} className="[&_.unit]:text-accent">
                  <Amount units={units} unit={unit} {...shape} />
                </AppLink>
              ) : (
                <Amount units={units} unit={unit} {...shape} />
              )}
            </li>
          ))}
        </ul>
        {network.embedded && (
          <button type="button" className="button" disabled={faucet.isPending} onClick={() => faucet.mutate(address)}>
            {faucet.isPending ? "Requesting funds…" : "Get test money"}
          </button>
        )}
      </div>
      <p role="status" className="text-13 text-ink-2 empty:hidden">
        {faucet.isSuccess ? "The faucet has sent test money." : ""}
      </p>
      <Failure error={faucet.error ?? native.error} />
      {!path.startsWith(playground) && (
        <p className="text-13">
          <AppLink href={playground} className="text-accent">
            Pay for a demo resource
          </AppLink>
        </p>
      )}
    </div>
  );
}
