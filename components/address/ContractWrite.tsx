"use client";
/**
 * A form that sends a call through the connected wallet. Every call is simulated first. If the simulation fails, the
 * visitor must confirm before the call is sent.
 */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { encodeFunctionData, type Hex } from "viem";
import { useConnection, useSendTransaction, useSwitchChain } from "wagmi";
import { ContractFields, readArguments } from "@/components/address/ContractFields";
import type { ContractFunction } from "@/components/address/contractFunctions";
import { SimulationView } from "@/components/address/SimulationView";
import { type SimulatedCall, type Simulation, simulateCall } from "@/components/address/simulateCall";
import { TextField } from "@/components/atoms/TextField";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { SentTransaction } from "@/components/transaction/SentTransaction";
import { burnerConnectorId } from "@/components/wallet/burnerConnector";
import { useFaucet } from "@/components/wallet/useFaucet";
import { toFailureMessage } from "@/components/wallet/walletError";
import { connectForForm } from "@/components/wallet/walletUse";
import { type AmountUnit, etherUnits, parseAmount } from "@/lib/decode/amountText";
import { noAddress } from "@/lib/decode/transfers";
import { balanceQuery } from "@/lib/query/queries";
import { parseUnits } from "@/lib/units";

type Props = { address: `0x${string}`; called: ContractFunction; units: readonly AmountUnit[] };

type Outcome =
  | { kind: "fault"; message: string }
  /** `isHeld` means that the visitor wanted to send the call, which would fail. */
  | { kind: "simulated"; call: SimulatedCall; simulation: Simulation; isHeld?: boolean }
  | { kind: "sent"; hash: Hex };

/**
 * The call's data, or undefined if a field has an error. Throws an Error with a message for the user if raw arguments
 * aren't valid hex.
 */
function toCallData(called: ContractFunction, form: FormData, units: readonly AmountUnit[]): Hex | undefined {
  if (called.kind === "unknown") {
    const words = String(form.get("raw") ?? "")
      .trim()
      .replace(/^0x/, "");
    if (!/^([0-9a-fA-F]{2})*$/.test(words)) throw new Error("Arguments must be hex, two digits per byte.");
    return `${called.selector}${words}` as Hex;
  }
  const args = readArguments(called.abi.inputs, form, units);
  return args && encodeFunctionData({ abi: [called.abi], args });
}

/** Parses the value to send. A number without a unit is an amount in native tokens, not in wei. */
function toValueWei(text: string, unit: AmountUnit): bigint {
  const typed = text.trim();
  if (typed === "") return 0n;
  const isPlain = /^\d*\.?\d+$/.test(typed);
  const wei = isPlain
    ? parseUnits(typed.replace(/^\./, "0."), unit.decimals)
    : parseAmount(typed, [unit, ...etherUnits], "Value");
  if (wei < 0n) throw new Error("Value can’t be negative.");
  return wei;
}

/**
 * The gas limit for sending a call that is expected to fail, if the simulation didn't report the gas used. A wallet
 * can't estimate the gas for such a call.
 */
const fallbackGas = 300_000n;
const toGas = ({ gasUsed }: Simulation) => (gasUsed === undefined ? fallbackGas : gasUsed + gasUsed / 2n);

/** Simulates and sends a form's call, and keeps the latest outcome for the form to show. */
function useContractCall({ address, called, units }: Props) {
  const network = useNetwork();
  const source = useSource();
  const connection = useConnection();
  const { mutateAsync: switchChain } = useSwitchChain();
  const { mutateAsync: sendTransaction, isPending } = useSendTransaction();
  const isBurner = connection.connector?.id === burnerConnectorId;
  const { data: balance } = useQuery({
    ...balanceQuery(source, connection.address ?? noAddress),
    enabled: connection.status === "connected" && network.embedded && !isBurner,
  });
  const faucet = useFaucet();
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined);
  const [isChecked, setChecked] = useState(false);

  /**
   * Runs an action, and keeps its outcome or an error from the form or the node. `send` handles the wallet's errors
   * itself.
   */
  async function report(run: () => Promise<Outcome | undefined>) {
    try {
      setOutcome(await run());
    } catch (error) {
      setOutcome({ kind: "fault", message: error instanceof Error ? error.message.split("\n")[0]! : String(error) });
    }
  }

  /** A new burner can't pay for the gas of its first call. */
  async function fundIfEmpty(burner: Hex): Promise<void> {
    const held = await source.request({ method: "eth_getBalance", params: [burner, "latest"] });
    if (BigInt(held) === 0n) await faucet.mutateAsync(burner);
  }

  async function simulate(form: FormData): Promise<Extract<Outcome, { kind: "simulated" }> | undefined> {
    if (connection.status !== "connected") return undefined;
    const data = toCallData(called, form, units);
    setChecked(true);
    if (data === undefined) return undefined;
    if (isBurner && network.embedded) await fundIfEmpty(connection.address);
    const value = toValueWei(String(form.get("value") ?? ""), network.nativeCurrency);
    const call = { from: connection.address, to: address, data, value };
    return { kind: "simulated", call, simulation: await simulateCall(source, call) };
  }

  async function send({ to, data, value }: SimulatedCall, gas?: bigint): Promise<Outcome> {
    try {
      if (connection.chainId !== network.chainId) await switchChain({ chainId: network.chainId });
      const request = { to, data, value, chainId: network.chainId, ...(gas !== undefined && { gas }) };
      return { kind: "sent", hash: await sendTransaction(request) };
    } catch (error) {
      return { kind: "fault", message: toFailureMessage(error) };
    }
  }

  return {
    isConnected: connection.status === "connected",
    /** The connected account, if it isn't a burner and has no native tokens. The form then points to the faucet. */
    unfunded: !isBurner && balance === "0x0" ? connection.address : undefined,
    faucet,
    isPending,
    isChecked,
    // Another account may have other results.
    outcome: outcome?.kind === "simulated" && outcome.call.from !== connection.address ? undefined : outcome,
    /** A simulation is of the values that the form had. */
    clear: () => setOutcome((latest) => (latest?.kind === "sent" ? latest : undefined)),
    simulate: (form: FormData) => report(() => simulate(form)),
    simulateAndSend: (form: FormData) =>
      report(async () => {
        const simulated = await simulate(form);
        return simulated?.simulation.succeeds ? send(simulated.call) : simulated && { ...simulated, isHeld: true };
      }),
    sendAnyway: (call: SimulatedCall, simulation: Simulation) => report(() => send(call, toGas(simulation))),
  };
}

export function WriteForm(props: Props) {
  const { called, units } = props;
  const { nativeCurrency } = useNetwork();
  const formRef = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const call = useContractCall(props);
  const { isConnected, faucet, isPending, isChecked, outcome, simulate, simulateAndSend, sendAnyway } = call;
  const takesValue = called.kind === "unknown" || called.abi.stateMutability === "payable";

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isConnected) return connectForForm(() => button.current?.focus());
    void simulateAndSend(new FormData(event.currentTarget));
  }

  return (
    <>
      <form ref={formRef} className="filter-row items-start! border-b-0!" onSubmit={submit} onChange={call.clear}>
        {called.kind === "known" ? (
          <ContractFields inputs={called.abi.inputs} units={units} isChecked={isChecked} />
        ) : (
          <TextField label="Arguments as hex words, without the selector" name="raw" placeholder="0x" />
        )}
        {takesValue && (
          <TextField
            label={`Value in ${nativeCurrency.symbol}`}
            className="max-w-40"
            name="value"
            placeholder={`0.1 ${nativeCurrency.symbol}`}
          />
        )}
        <span className="flex flex-wrap gap-2 sm:mt-6">
          {isConnected && (
            <button
              type="button"
              className="button"
              onClick={() => formRef.current && simulate(new FormData(formRef.current))}
            >
              Simulate
            </button>
          )}
          <button
            ref={button}
            type="submit"
            className={`button ${isConnected ? "button-primary" : ""}`}
            aria-busy={isPending || faucet.isPending}
          >
            {faucet.isPending
              ? "Requesting funds…"
              : isPending
                ? "Confirm in your wallet"
                : isConnected
                  ? "Send"
                  : "Connect a wallet to send"}
          </button>
        </span>
      </form>
      {call.unfunded && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-3 text-13 text-ink-2">
          This account has no {nativeCurrency.symbol} to pay for gas.
          <button
            type="button"
            className="button"
            aria-disabled={faucet.isPending}
            onClick={() => !faucet.isPending && call.unfunded && faucet.mutate(call.unfunded)}
          >
            Get test money
          </button>
          {faucet.error && <span className="text-neg">{toFailureMessage(faucet.error)}</span>}
        </p>
      )}
      <div role="status" className="min-w-0 px-4 pb-3 empty:hidden">
        {outcome?.kind === "fault" && <p className="text-13 text-neg">{outcome.message}</p>}
        {outcome?.kind === "simulated" && (
          <SimulationView
            call={outcome.call}
            simulation={outcome.simulation}
            isHeld={outcome.isHeld}
            abi={called.kind === "known" ? called.abi : undefined}
            onSendAnyway={() => sendAnyway(outcome.call, outcome.simulation)}
          />
        )}
        {outcome?.kind === "sent" && <SentTransaction hash={outcome.hash} />}
      </div>
    </>
  );
}
