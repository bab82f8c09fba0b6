"use client";
/**
 * Calls a contract's functions: view functions directly, others through the connected wallet. Functions without an ABI
 * take their arguments as raw words.
 */
import { type FormEvent, type ReactNode, useState } from "react";
import { type AbiFunction, decodeFunctionResult, encodeFunctionData, type Hex, parseEther } from "viem";
import { useConnection, useSendTransaction, useSwitchChain } from "wagmi";
import {
  type ContractFunction,
  isReading,
  listFunctions,
  listFurtherFunctions,
  toArgument,
  toResultText,
} from "@/components/address/contractFunctions";
import { TextField } from "@/components/atoms/TextField";
import { TxLink } from "@/components/atoms/TxLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { PastedAbis } from "@/components/trace/PastedAbisButton";
import { usePastedAbis } from "@/components/trace/pastedAbis";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { toFailureMessage } from "@/components/wallet/walletError";
import { openWalletDialog } from "@/components/wallet/walletUse";
import type { PageNetwork } from "@/lib/networks";

type Props = {
  address: `0x${string}`;
  /** The functions known from the interfaces built into this node. */
  functions: ContractFunction[];
  networks: readonly [PageNetwork, ...PageNetwork[]];
};

export function ContractForms({ address, functions, networks }: Props) {
  const pasted = usePastedAbis();
  const own = listFunctions(
    functions.map(({ selector }) => selector),
    pasted,
  );
  const all: ContractFunction[] = [
    ...functions.map((each, at) => (own[at]!.kind === "known" ? own[at]! : each)),
    ...listFurtherFunctions(
      functions.map(({ selector }) => selector),
      pasted,
    ),
  ];
  const reading = all.filter((each) => each.kind === "known" && isReading(each.abi));
  const writing = all.filter((each) => each.kind === "unknown" || !isReading(each.abi));
  return (
    <WalletProvider networks={networks}>
      <Sheet id="read" title="Read" aside={<PastedAbis />}>
        <Functions address={address} functions={reading} />
      </Sheet>
      <Sheet id="write" title="Write">
        <p className="border-line border-b px-4 py-2 text-13 text-ink-2">
          Functions detected from bytecode. Unnamed ones take raw arguments.
        </p>
        <Functions address={address} functions={writing} />
      </Sheet>
    </WalletProvider>
  );
}

function Functions({ address, functions }: { address: `0x${string}`; functions: ContractFunction[] }) {
  if (functions.length === 0) return <Empty title="No functions detected. Add an ABI to call this contract." />;
  return functions.map((each) => (
    <details key={each.selector} className="border-line border-b last:border-b-0">
      <summary className="cursor-pointer px-4 py-2">
        <code className="mono">{each.kind === "known" ? each.abi.name : each.selector}</code>{" "}
        <span className="text-13 text-ink-3">{each.kind === "known" ? each.source : "unknown"}</span>
      </summary>
      {each.kind === "known" && isReading(each.abi) ? (
        <ReadForm address={address} abi={each.abi} />
      ) : (
        <WriteForm address={address} called={each} />
      )}
    </details>
  ));
}

function toCallData(called: ContractFunction, form: FormData): Hex {
  if (called.kind === "unknown") {
    const words = String(form.get("raw") ?? "")
      .trim()
      .replace(/^0x/, "");
    if (!/^([0-9a-fA-F]{2})*$/.test(words)) throw new Error("Arguments must be hex, two digits per byte.");
    return `${called.selector}${words}` as Hex;
  }
  const { abi } = called;
  const args = abi.inputs.map((input, at) => toArgument(input, String(form.get(String(at)) ?? "")));
  return encodeFunctionData({ abi: [abi], functionName: abi.name, args });
}

function Fields({ inputs }: { inputs: AbiFunction["inputs"] }) {
  return inputs.map((input, at) => (
    <TextField
      // biome-ignore lint/suspicious/noArrayIndexKey: parameters have no other identity
      key={at}
      name={String(at)}
      label={
        <>
          {input.name} <span className="mono">{input.type}</span>
        </>
      }
    />
  ));
}

function Outcome({ fault, children }: { fault: string | undefined; children: ReactNode }) {
  return (
    <div role="status" className="px-4 pb-3 text-13">
      {fault === undefined ? children : <p className="text-neg">{fault}</p>}
    </div>
  );
}

const toFault = (error: unknown) => (error instanceof Error ? error.message.split("\n")[0]! : String(error));

function ReadForm({ address, abi }: { address: `0x${string}`; abi: AbiFunction }) {
  const source = useSource();
  const [result, setResult] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);

  async function call(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    try {
      const data = toCallData({ kind: "known", selector: "", source: "", abi }, form);
      const answer = await source.request({ method: "eth_call", params: [{ to: address, data }, "latest"] });
      setResult(toResultText(decodeFunctionResult({ abi: [abi], functionName: abi.name, data: answer as Hex })));
      setFault(undefined);
    } catch (error) {
      setFault(toFault(error));
    }
  }

  return (
    <>
      <form className="filter-row border-b-0!" onSubmit={call}>
        <Fields inputs={abi.inputs} />
        <button type="submit" className="button">
          Call
        </button>
      </form>
      <Outcome fault={fault}>{result !== undefined && <pre className="bytes">{result}</pre>}</Outcome>
    </>
  );
}

function WriteForm({ address, called }: { address: `0x${string}`; called: ContractFunction }) {
  const network = useNetwork();
  const connection = useConnection();
  const { mutateAsync: switchChain } = useSwitchChain();
  const { mutateAsync: sendTransaction, isPending } = useSendTransaction();
  const [sent, setSent] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const isConnected = connection.status === "connected";
  const takesValue = called.kind === "unknown" || called.abi.stateMutability === "payable";

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (!isConnected) return openWalletDialog();
    let data: Hex;
    try {
      data = toCallData(called, form);
    } catch (error) {
      setFault(toFault(error));
      return;
    }
    try {
      const value = parseEther(String(form.get("value") || "0"));
      if (connection.chainId !== network.chainId) await switchChain({ chainId: network.chainId });
      setSent(await sendTransaction({ to: address, data, value, chainId: network.chainId }));
      setFault(undefined);
    } catch (error) {
      setFault(toFailureMessage(error));
    }
  }

  return (
    <>
      <form className="filter-row border-b-0!" onSubmit={send}>
        {called.kind === "known" ? (
          <Fields inputs={called.abi.inputs} />
        ) : (
          <TextField label="Arguments as hex words, without the selector" name="raw" placeholder="0x" />
        )}
        {takesValue && (
          <TextField
            label={`Value in ${network.nativeCurrency.symbol}`}
            className="max-w-40"
            name="value"
            inputMode="decimal"
            placeholder="0"
          />
        )}
        <button type="submit" className="button" aria-busy={isPending}>
          {isPending ? "Confirm in your wallet" : isConnected ? "Send" : "Connect a wallet to send"}
        </button>
      </form>
      <Outcome fault={fault}>
        {sent !== undefined && (
          <p className="flex items-center gap-2">
            Sent: <TxLink hash={sent} />
          </p>
        )}
      </Outcome>
    </>
  );
}
