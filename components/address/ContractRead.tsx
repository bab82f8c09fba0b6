"use client";
/** Shows the results of view functions, formatted based on their types and the contract's token. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type AbiFunction, encodeFunctionData, type Hex } from "viem";
import { ContractFields, readArguments } from "@/components/address/ContractFields";
import { Amount } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Value, Values } from "@/components/trace/DecodedView";
import type { AmountUnit } from "@/lib/decode/amountText";
import { createDecoder } from "@/lib/decode/decoder";
import { returnsTokenAmount } from "@/lib/decode/meanings";
import { viewQuery } from "@/lib/query/explorerQueries";
import { toExactDigits } from "@/lib/units";

/** `data` is the function's calldata. */
type ShownProps = { abi: AbiFunction; data: Hex; answer: string; unit: AmountUnit | undefined };

/** A function's result: a single value inline, several values as a table, and undecodable data as hex. */
function Shown({ abi, data, answer, unit }: ShownProps) {
  const [reading] = createDecoder([{ name: "", abi: [abi] }]).decode({ kind: "call", data, result: answer });
  const [first, ...others] = reading?.results ?? [];
  if (first === undefined) {
    return <span className="mono break-all text-ink-2">{answer === "0x" ? "nothing returned" : answer}</span>;
  }
  if (others.length > 0) return <Values values={[first, ...others]} />;
  if (unit && returnsTokenAmount(abi.name) && typeof first.value === "string") {
    const units = BigInt(first.value);
    return <Amount units={units} unit={unit} fractionDigits={toExactDigits(units, unit.decimals)} copy />;
  }
  if (first.type === "string" && typeof first.value === "string") {
    return (
      <span className="identifier">
        <Value value={first} />
        <Copy value={first.value} what={first.name || abi.name} />
      </span>
    );
  }
  // An unnamed output gets its function's name. That is how the result of deadline(), for example, is shown as a date.
  return <Value value={{ ...first, name: first.name || abi.name }} />;
}

/**
 * A getter's result. On embedded networks, the getter is called again after every block. On remote networks, it is
 * called only once.
 */
export function ReadResult({
  address,
  abi,
  unit,
}: {
  address: string;
  abi: AbiFunction;
  unit: AmountUnit | undefined;
}) {
  const { embedded } = useNetwork();
  const data = encodeFunctionData({ abi: [abi] });
  const { data: answer, error } = useQuery(viewQuery(useSource(), address, data, embedded ? ["head"] : []));
  return (
    <span className="min-w-0 text-13">
      {answer !== undefined ? (
        <Shown abi={abi} data={data} answer={answer} unit={unit} />
      ) : error ? (
        <span className="text-neg">{error.message}</span>
      ) : (
        <span className="skeleton w-24" />
      )}
    </span>
  );
}

type ReadProps = { address: string; abi: AbiFunction; units: readonly AmountUnit[]; unit: AmountUnit | undefined };

export function ReadForm({ address, abi, units, unit }: ReadProps) {
  const source = useSource();
  const [outcome, setOutcome] = useState<{ data: Hex; answer: string } | { fault: string } | undefined>(undefined);
  const [isChecked, setChecked] = useState(false);

  async function call(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const args = readArguments(abi.inputs, new FormData(event.currentTarget), units);
    setChecked(true);
    setOutcome(undefined);
    if (!args) return;
    try {
      const data = encodeFunctionData({ abi: [abi], args });
      const answer = await source.request({ method: "eth_call", params: [{ to: address, data }, "latest"] });
      setOutcome({ data, answer });
    } catch (error) {
      setOutcome({ fault: error instanceof Error ? error.message : String(error) });
    }
  }

  return (
    <>
      {/* A result is of the values that the form had. */}
      <form className="filter-row items-start! border-b-0!" onSubmit={call} onChange={() => setOutcome(undefined)}>
        <ContractFields inputs={abi.inputs} units={units} isChecked={isChecked} />
        <button type="submit" className="button sm:mt-6">
          Call
        </button>
      </form>
      <div role="status" className="min-w-0 px-4 pb-3 text-14">
        {outcome && "fault" in outcome && <p className="text-13 text-neg">{outcome.fault}</p>}
        {outcome && "answer" in outcome && <Shown abi={abi} data={outcome.data} answer={outcome.answer} unit={unit} />}
      </div>
    </>
  );
}
