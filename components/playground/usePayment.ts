/**
 * Pays a resource once: connects a burner where nothing is connected, funds it where it is too poor, puts the wallet
 * on the right network, and runs payFetch. One mutation, so that a second click cannot start a second payment.
 */
"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { recoverTypedDataAddress, type TypedDataDefinition } from "viem";
import { useConnect, useConnection, useConnectors, useSendTransaction, useSignTypedData, useSwitchChain } from "wagmi";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { burnerConnectorId } from "@/components/wallet/burnerConnector";
import { fundAndWait } from "@/components/wallet/fundAndWait";
import { toFailureMessage } from "@/components/wallet/walletError";
import { t } from "@/lib/messages/translate";
import { toCaip2 } from "@/lib/networks";
import { refreshFollowing } from "@/lib/query/client";
import { tokenBalanceQuery } from "@/lib/query/queries";
import { PayFetchError, type PayFetchResult, payFetch } from "@/lib/x402/payFetch";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";
import type { FlowStep } from "./flowEntries";
import type { RefusalFacts } from "./refusal";

/** Ten dollars: far above any demo resource, far below what a burner holds. */
const maxWholeTokens = 10n;

export type PaymentPhase = "funding" | "paying";
/** What the payer held of what was asked, when it was asked. */
export type Purse = { requirement: PaymentRequirements; balanceUnits: bigint };
export type PaymentOutcome = PayFetchResult & { payer: Hex; body: string; facts: RefusalFacts };

/** Nothing was paid; the message is one sentence, and the purse stands by where it was too small. */
export class PaymentStoppedError extends Error {
  override name = "PaymentStoppedError";
  constructor(
    cause: unknown,
    readonly payer: Hex | undefined,
    readonly shortPurse: Purse | undefined,
  ) {
    super(toFailureMessage(cause), { cause });
  }
}

/** What is asked for: a path with its query, and the JSON that is sent along. */
export type PaidCall = { url: string; method: string; body?: string };

export function usePayment({ url, method, body: sent }: PaidCall) {
  const { network, source } = useNetworkContext();
  const queries = useQueryClient();
  const connection = useConnection();
  const connectors = useConnectors();
  const { mutateAsync: connect } = useConnect();
  const { mutateAsync: switchChain } = useSwitchChain();
  const { mutateAsync: signTypedData } = useSignTypedData();
  const { mutateAsync: sendTransaction } = useSendTransaction();
  const [steps, setSteps] = useState<FlowStep[]>([]);
  const [phase, setPhase] = useState<PaymentPhase>("paying");

  async function getBalance(asset: string, address: Hex): Promise<bigint> {
    return BigInt(await queries.fetchQuery(tokenBalanceQuery(source, asset, address)));
  }

  async function getPayer(): Promise<{ payer: Hex; isBurner: boolean }> {
    if (connection.status === "connected") {
      if (connection.chainId !== network.chainId) await switchChain({ chainId: network.chainId });
      return { payer: connection.address, isBurner: connection.connector.id === burnerConnectorId };
    }
    const burner = connectors.find(({ id }) => id === burnerConnectorId);
    if (!burner || !network.embedded) throw new Error(t("play.noPayerPublic"));
    const { accounts } = await connect({ connector: burner, chainId: network.chainId });
    return { payer: accounts[0], isBurner: true };
  }

  async function pay(): Promise<PaymentOutcome> {
    const noted: FlowStep[] = [];
    const note = (step: FlowStep) => {
      noted.push(step);
      setSteps([...noted]);
    };
    setSteps([]);
    setPhase("paying");
    let payer: Hex | undefined;
    let purse: Purse | undefined;
    try {
      const { payer: from, isBurner } = await getPayer();
      payer = from;
      const readPurse = async (requirement: PaymentRequirements): Promise<bigint> => {
        let balanceUnits = await getBalance(requirement.asset, from);
        // A burner is the page's own: it is filled without asking. Anybody else's account is not.
        if (isBurner && balanceUnits < BigInt(requirement.amount)) {
          setPhase("funding");
          const transaction = await fundAndWait(source, from);
          note({ kind: "funded", atMs: Date.now(), transaction });
          setPhase("paying");
          balanceUnits = await getBalance(requirement.asset, from);
        }
        purse = { requirement, balanceUnits };
        return balanceUnits;
      };
      const { reads, approve } = createTokenAccess({
        owner: from,
        getRequest: () => (args) => source.request(args as never),
        sendTransaction: (_, { to, data }) => sendTransaction({ account: from, to, data }),
      });
      const result = await payFetch(new URL(url, window.location.origin), {
        init: {
          method,
          ...(sent !== undefined && { body: sent, headers: { "content-type": "application/json" } }),
        },
        reads,
        approve,
        signer: { address: from, signTypedData: (data: TypedData) => signTypedData({ account: from, ...data }) },
        spendLimits: network.tokens.map(({ address, decimals }) => ({
          network: toCaip2(network.chainId),
          asset: address,
          maxUnits: maxWholeTokens * 10n ** BigInt(decimals),
        })),
        getBalance: readPurse,
        onStep: note,
      });
      const body = await result.response.text();
      const signer = result.settlement?.success ? undefined : await findSigner(result);
      const facts = { payload: result.payload, balanceUnits: purse?.balanceUnits, signer, atMs: Date.now() };
      return { ...result, payer: from, body, facts };
    } catch (cause) {
      const isShort = cause instanceof PayFetchError && cause.reason === "insufficient_funds";
      const stopped = new PaymentStoppedError(cause, payer, isShort ? purse : undefined);
      if (noted.length > 0) note({ kind: "stopped", atMs: Date.now(), message: stopped.message });
      throw stopped;
    }
  }

  const mutation = useMutation<PaymentOutcome, PaymentStoppedError>({
    mutationFn: pay,
    // Live updates may be paused or offline; who paid wants to see it.
    onSuccess: () => refreshFollowing(queries, source.network, ["head", "payment"]),
  });

  return { ...mutation, steps, phase, connection };
}

/** Who signed a payment, recovered from its signature; undefined where it is no signature of a key. */
async function findSigner({ steps, payload }: PayFetchResult): Promise<Hex | undefined> {
  const data = steps.find((step) => step.kind === "typedData")?.data;
  const signature = payload?.payload.signature;
  if (!data || typeof signature !== "string") return undefined;
  const { domain, types, primaryType, message } = data as unknown as TypedDataDefinition;
  try {
    return await recoverTypedDataAddress({ domain, types, primaryType, message, signature: signature as Hex } as never);
  } catch {
    // A smart wallet's signature recovers to nobody; the refusal is then shown without this value.
    return undefined;
  }
}
