/**
 * What the wallet dialog shows: the ways to sign while nothing is connected, else the account with its balances,
 * network, faucet and, for a burner, its key.
 */
"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useConnect, useConnection, useConnectors, useDisconnect, useSwitchChain } from "wagmi";
import { AddressLink } from "@/components/chain/AddressLink";
import { NativeAmount, TokenAmount } from "@/components/chain/Amount";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { t } from "@/lib/messages/translate";
import { balanceQuery, tokenBalanceQuery } from "@/lib/query/queries";
import { BurnerKey } from "./BurnerKey";
import { burnerConnectorId } from "./burnerConnector";
import { fundAndWait } from "./fundAndWait";
import { toWalletMessage } from "./walletError";

export function WalletPanel() {
  const { status } = useConnection();
  return (
    <div className="flex flex-col gap-4 p-4">{status === "connected" ? <ConnectedAccount /> : <ConnectorList />}</div>
  );
}

function Failure({ error }: { error: unknown }) {
  return error ? (
    <p role="alert" className="notice notice-neg">
      {toWalletMessage(error)}
    </p>
  ) : null;
}

function ConnectorList() {
  const connectors = useConnectors();
  const { network } = useNetworkContext();
  const { mutate: connect, isPending, error } = useConnect();
  const burner = connectors.find(({ id }) => id === burnerConnectorId);
  const injected = connectors.filter(({ id }) => id !== burnerConnectorId);
  const offered = network.embedded && burner ? [burner, ...injected] : injected;
  return (
    <>
      <p className="text-14 text-ink-2">{t("wallet.choose")}</p>
      <ul className="flex flex-col gap-2">
        {offered.map((connector) => (
          <li key={connector.uid}>
            <button
              type="button"
              className="choice"
              disabled={isPending}
              onClick={() => connect({ connector, chainId: network.chainId })}
            >
              {connector.icon?.startsWith("data:image/") ? (
                // biome-ignore lint/performance/noImgElement: a data URI that the wallet announced; nothing to optimise
                <img src={connector.icon} alt="" width={20} height={20} />
              ) : null}
              <span className="flex min-w-0 flex-col items-start">
                <span className="font-medium">{connector === burner ? t("wallet.burner") : connector.name}</span>
                <span className="text-left text-12 text-ink-2">
                  {t(connector === burner ? "wallet.burnerHint" : "wallet.injectedHint")}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {injected.length === 0 && (
        <p className="text-13 text-ink-2">{t(network.embedded ? "wallet.none" : "wallet.noneNoBurner")}</p>
      )}
      <Failure error={error} />
    </>
  );
}

function ConnectedAccount() {
  const { address, chainId, connector } = useConnection();
  const { network } = useNetworkContext();
  const { mutate: disconnect } = useDisconnect();
  const { mutate: switchChain, error: switchError, isPending: isSwitching } = useSwitchChain();
  if (!address) return null;
  const isBurner = connector?.id === burnerConnectorId;
  return (
    <>
      <p className="text-13 text-ink-2">
        {t("wallet.connectedWith", { name: isBurner ? t("wallet.burner") : (connector?.name ?? "") })}
      </p>
      <AddressLink address={address} full />
      {chainId !== network.chainId && (
        <div className="notice notice-warn flex flex-col items-start gap-2">
          {t("wallet.otherNetwork", { chainId: chainId ?? "?", network: network.label })}
          <button
            type="button"
            className="button"
            disabled={isSwitching}
            onClick={() => switchChain({ chainId: network.chainId })}
          >
            {t("wallet.switch", { network: network.label })}
          </button>
        </div>
      )}
      <Balances address={address} />
      <Failure error={switchError} />
      {isBurner && <BurnerKey />}
      <button type="button" className="button self-start" onClick={() => disconnect()}>
        {t("wallet.disconnect")}
      </button>
    </>
  );
}

function Balances({ address }: { address: `0x${string}` }) {
  const { network, source } = useNetworkContext();
  const native = useQuery(balanceQuery(source, address));
  const faucet = useMutation({ mutationFn: () => fundAndWait(source, address) });
  return (
    <>
      <ul aria-label={t("wallet.balances")} className="flex flex-col gap-1 text-14">
        <li>{native.data === undefined ? "…" : <NativeAmount wei={BigInt(native.data)} />}</li>
        {network.tokens.map((token) => (
          <TokenBalance key={token.address} address={address} token={token.address} />
        ))}
      </ul>
      {network.embedded && (
        <div className="flex flex-wrap items-center gap-3">
          <button type="button" className="button" disabled={faucet.isPending} onClick={() => faucet.mutate()}>
            {t(faucet.isPending ? "wallet.funding" : "wallet.fund")}
          </button>
          <span role="status" className="text-13 text-ink-2">
            {faucet.isSuccess ? t("wallet.funded") : ""}
          </span>
        </div>
      )}
      <Failure error={faucet.error} />
    </>
  );
}

function TokenBalance({ address, token }: { address: string; token: string }) {
  const { source } = useNetworkContext();
  const { data } = useQuery(tokenBalanceQuery(source, token, address));
  return <li>{data === undefined || data === "0x" ? "…" : <TokenAmount units={BigInt(data)} token={token} />}</li>;
}
