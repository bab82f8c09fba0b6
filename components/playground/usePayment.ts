/**
 * Pays a resource once: connects a burner where nothing is connected, funds it where it is empty, puts the wallet on
 * the right network, and runs payFetch. One mutation, so that a second click cannot start a second payment.
 */
"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Hex } from "viem";
import { useConnect, useConnection, useConnectors, useSignTypedData, useSwitchChain } from "wagmi";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { burnerConnectorId } from "@/components/wallet/burnerConnector";
import { fundAndWait } from "@/components/wallet/fundAndWait";
import { toCaip2 } from "@/lib/networks";
import { tokenBalanceQuery } from "@/lib/query/queries";
import { type PayFetchResult, type PayStep, payFetch } from "@/lib/x402/payFetch";
import type { TypedData } from "@/lib/x402/typedData";

/** Ten dollars: far above any demo resource, far below what a burner holds. */
const maxWholeTokens = 10n;

export type PaymentPhase = "funding" | "paying";
export type PaymentOutcome = PayFetchResult & { payer: Hex; body: string };

export function usePayment(url: string) {
  const { network, source } = useNetworkContext();
  const queries = useQueryClient();
  const connection = useConnection();
  const connectors = useConnectors();
  const { mutateAsync: connect } = useConnect();
  const { mutateAsync: switchChain } = useSwitchChain();
  const { mutateAsync: signTypedData } = useSignTypedData();
  const [steps, setSteps] = useState<PayStep[]>([]);
  const [phase, setPhase] = useState<PaymentPhase>("paying");
  const [token] = network.tokens;

  async function getBalance(address: Hex): Promise<bigint> {
    return BigInt(await queries.fetchQuery({ ...tokenBalanceQuery(source, token.address, address), staleTime: 0 }));
  }

  async function getPayer(): Promise<Hex> {
    if (connection.status === "connected") {
      if (connection.chainId !== network.chainId) await switchChain({ chainId: network.chainId });
      return connection.address;
    }
    const burner = connectors.find(({ id }) => id === burnerConnectorId);
    if (!burner) throw new Error("Connect a wallet first: this network has no burner accounts.");
    const { accounts } = await connect({ connector: burner, chainId: network.chainId });
    return accounts[0];
  }

  const mutation = useMutation<PaymentOutcome, Error>({
    mutationFn: async () => {
      setSteps([]);
      setPhase("paying");
      const payer = await getPayer();
      const minimum = 10n ** BigInt(token.decimals);
      if (network.embedded && (await getBalance(payer)) < minimum) {
        setPhase("funding");
        await fundAndWait(source, payer);
        setPhase("paying");
      }
      const result = await payFetch(new URL(url, window.location.origin), {
        signer: { address: payer, signTypedData: (data: TypedData) => signTypedData({ account: payer, ...data }) },
        spendLimits: [
          {
            network: toCaip2(network.chainId),
            asset: token.address,
            maxUnits: maxWholeTokens * 10n ** BigInt(token.decimals),
          },
        ],
        getBalance: () => getBalance(payer),
        onStep: (step) => setSteps((before) => [...before, step]),
      });
      return { ...result, payer, body: await result.response.text() };
    },
  });

  return { ...mutation, steps, phase, connection };
}
