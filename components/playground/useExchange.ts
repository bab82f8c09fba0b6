/**
 * Runs a page's exchanges with the connected wallet and the faucet, and records their steps. There is only one
 * mutation, so a second click can't start a second payment. Before the first exchange, returns the recorded exchange
 * whose ID is in the URL.
 */
"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useConnect, useConnection, useConnectors, useSendTransaction, useSignTypedData, useSwitchChain } from "wagmi";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { burnerConnectorId } from "@/components/wallet/burnerConnector";
import { fundAndWait } from "@/components/wallet/fundAndWait";
import { isWalletBarred } from "@/components/wallet/payer";
import { findMainnetSentence } from "@/components/wallet/signingRule";
import { nameDeclined, toFailureMessage } from "@/components/wallet/walletError";
import type { FlowStep } from "@/lib/payflow/flow";
import { refreshFollowing } from "@/lib/query/client";
import { tokenBalanceQuery } from "@/lib/query/queries";
import { isPayFetchError } from "@/lib/x402/payFetchChoice";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex } from "@/lib/x402/types";
import type { ExchangeTools, Payer, PaymentOutcome, Purse } from "./exchange";
import { useFlowRecord } from "./useFlowRecord";

export type PaymentPhase = "funding" | "paying";

/**
 * Thrown if the exchange ended without an outcome. The message can be shown to the user. `shortPurse` is set if the
 * balance was too low.
 */
export class PaymentStoppedError extends Error {
  override name = "PaymentStoppedError";
  readonly code = "PAYMENT_STOPPED";
  readonly payer: Hex | undefined;
  readonly shortPurse: Purse | undefined;
  /** Whether the signed payment was sent. If so, it may still settle. */
  readonly wasSent: boolean;

  constructor(cause: unknown, payer: Hex | undefined, shortPurse: Purse | undefined, wasSent: boolean) {
    super(toFailureMessage(cause), { cause });
    this.payer = payer;
    this.shortPurse = shortPurse;
    this.wasSent = wasSent;
  }
}

export type RunTools = ExchangeTools & {
  /**
   * Returns the connected account, after switching it to the page's network. If no connected account may sign, returns
   * a burner.
   */
  getPayer(): Promise<Payer>;
  onPurse(purse: Purse): void;
};

/**
 * The account that pays: the connected one, after switching it to the page's network, or a burner if there is no usable
 * one.
 */
function usePayer() {
  const { network } = useNetworkContext();
  const connection = useConnection();
  const connectors = useConnectors();
  const { mutateAsync: connect } = useConnect();
  const { mutateAsync: switchChain } = useSwitchChain();

  async function connectPayer(wantsBurner: boolean): Promise<{ address: Hex; isBurner: boolean }> {
    if (connection.status === "connected" && !isWalletBarred(connection, network) && !wantsBurner) {
      if (connection.chainId !== network.chainId) {
        await switchChain({ chainId: network.chainId }).catch((error: unknown) => {
          throw nameDeclined(error, `the switch to ${network.label}`);
        });
      }
      return { address: connection.address, isBurner: connection.connector.id === burnerConnectorId };
    }
    const burner = connectors.find(({ id }) => id === burnerConnectorId);
    if (!burner || !network.embedded) {
      throw new Error(findMainnetSentence(network) ?? "No account yet. Connect a wallet to pay.");
    }
    const { accounts } = await connect({ connector: burner, chainId: network.chainId });
    return { address: accounts[0], isBurner: true };
  }

  const hasWallet = connection.status === "connected" && connection.connector.id !== burnerConnectorId;
  return { connection, connectPayer, canReplaceWallet: hasWallet && network.embedded };
}

/**
 * @param run performs one exchange
 * @param continues whether the exchange continues the previous one and keeps its steps
 */
export function useExchange<Argument>(
  run: (tools: RunTools, argument: Argument) => Promise<PaymentOutcome>,
  continues: (argument: Argument) => boolean = () => false,
  /** Returns the ID of the failure lab's case, if the exchange runs one. */
  findLab: (argument: Argument) => string | undefined = () => undefined,
) {
  const { network, source } = useNetworkContext();
  const queries = useQueryClient();
  const { connection, connectPayer, canReplaceWallet } = usePayer();
  const { mutateAsync: signTypedData } = useSignTypedData();
  const { mutateAsync: sendTransaction } = useSendTransaction();
  const [steps, setSteps] = useState<FlowStep[]>([]);
  const [phase, setPhase] = useState<PaymentPhase>("paying");
  const record = useFlowRecord();
  const wantsBurner = useRef(false);

  async function exchange(argument: Argument): Promise<PaymentOutcome> {
    const recorded: FlowStep[] = continues(argument) ? [...steps] : [];
    const earlier = recorded.length;
    const show = () => setSteps([...recorded]);
    show();
    record.forget();
    setPhase("paying");
    let payer: Hex | undefined;
    let purse: Purse | undefined;
    const tools: RunTools = {
      network,
      source,
      record(step) {
        recorded.push(step);
        show();
      },
      amend(step, by) {
        const at = recorded.indexOf(step);
        if (at >= 0) recorded[at] = by;
        show();
      },
      async getBalance(asset, address) {
        return BigInt(await queries.fetchQuery(tokenBalanceQuery(source, asset, address)));
      },
      async fund(address) {
        setPhase("funding");
        const { tokenTransaction: transaction } = await fundAndWait(source, address);
        tools.record({ kind: "funded", atMs: Date.now(), transaction });
        setPhase("paying");
      },
      async getPayer() {
        const { address, isBurner } = await connectPayer(wantsBurner.current);
        payer = address;
        return {
          address,
          isBurner,
          signTypedData: (data: TypedData) => signTypedData({ account: address, ...data }),
          sendTransaction: ({ to, data }) => sendTransaction({ account: address, to, data, chainId: network.chainId }),
        };
      },
      onPurse(held) {
        purse = held;
      },
    };
    try {
      return await run(tools, argument);
    } catch (cause) {
      const notSent = isPayFetchError(cause) ? cause : undefined;
      const wasSent = recorded.slice(earlier).some(({ kind }) => kind === "paidRequest");
      const isShort = notSent?.reason === "insufficient_funds";
      const stopped = new PaymentStoppedError(cause, payer, isShort ? purse : undefined, wasSent);
      const considered = notSent && notSent.considered.length > 0 ? notSent.considered : undefined;
      if (recorded.length > 0) {
        tools.record({
          kind: "stopped",
          atMs: Date.now(),
          message: stopped.message,
          ...(considered && { considered }),
        });
      }
      throw stopped;
    } finally {
      wantsBurner.current = false;
      // This isn't awaited, so that the result is shown before the exchange is recorded.
      void record.record(recorded, findLab(argument));
    }
  }

  const mutation = useMutation<PaymentOutcome, PaymentStoppedError, Argument>({
    mutationFn: exchange,
    // Live updates may be paused or offline, but the payer must see the result at once.
    onSuccess: () => refreshFollowing(queries, source.network, ["head", "payment"]),
  });

  // A new exchange replaces the recorded one as soon as it starts.
  const recorded = steps.length === 0 && !mutation.isPending ? record.recorded?.steps : undefined;
  const isOver = mutation.isSuccess || recorded !== undefined;
  /** Repeats what failed with a burner instead of the connected wallet. */
  const repeatWithBurner = () => {
    wantsBurner.current = true;
    mutation.mutate(mutation.variables as Argument);
  };
  const onBurner = canReplaceWallet ? repeatWithBurner : undefined;
  const stopped = mutation.error && { error: mutation.error, onFunded: mutation.reset, onBurner };
  return { ...mutation, steps: recorded ?? steps, isOver, phase, connection, record, stopped };
}
