"use client";
/**
 * The form fields for a function's arguments. Each field shows its own error. An amount typed with a unit is also shown
 * in smallest units, and vice versa.
 */
import { useId, useState } from "react";
import type { AbiFunction, AbiParameter } from "viem";
import { toArgument, toPlaceholder } from "@/components/address/contractArguments";
import type { AmountUnit } from "@/lib/decode/amountText";
import { isTokenAmount } from "@/lib/decode/meanings";
import { formatInteger, formatUnits } from "@/lib/units";

type Inputs = AbiFunction["inputs"];

/** Returns the arguments' values, or undefined if a field has an error. */
export function readArguments(inputs: Inputs, form: FormData, units: readonly AmountUnit[]): unknown[] | undefined {
  const values = inputs.map((input, at) => read(input, String(form.get(String(at)) ?? ""), units));
  return values.some(({ fault }) => fault !== undefined) ? undefined : values.map(({ value }) => value);
}

function read(
  parameter: AbiParameter,
  text: string,
  units: readonly AmountUnit[],
): { value?: unknown; fault?: string } {
  try {
    return { value: toArgument(parameter, text, units) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** If `isChecked` is set, empty fields also show their errors. */
export function ContractFields({
  inputs,
  units,
  isChecked,
}: {
  inputs: Inputs;
  units: readonly AmountUnit[];
  isChecked: boolean;
}) {
  return inputs.map((input, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parameters have no other identity
    <Field key={at} name={String(at)} parameter={input} units={units} isChecked={isChecked} />
  ));
}

function Field({
  name,
  parameter,
  units,
  isChecked,
}: {
  name: string;
  parameter: AbiParameter;
  units: readonly AmountUnit[];
  isChecked: boolean;
}) {
  const [text, setText] = useState("");
  const [isLeft, setLeft] = useState(false);
  const noteId = useId();
  const { value, fault } = read(parameter, text, units);
  const shownFault = isChecked || (isLeft && text !== "") ? fault : undefined;
  const isAmount = isTokenAmount(parameter) && units[0] !== undefined;
  const rule = isAmount && text === "" ? "Add the unit, or enter an amount in the smallest unit" : "";
  const note =
    shownFault ?? (typeof value === "bigint" ? toOtherForm(text, value, isAmount ? units[0] : undefined) : rule);
  return (
    <label>
      <span className="label">
        {parameter.name} <span className="mono">{parameter.type}</span>
      </span>
      <input
        className="field"
        autoComplete="off"
        spellCheck={false}
        name={name}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => setLeft(true)}
        placeholder={isAmount ? `1.5 ${units[0]?.symbol}` : toPlaceholder(parameter)}
        aria-invalid={shownFault !== undefined}
        aria-describedby={noteId}
      />
      <span id={noteId} className={`min-h-4 text-12 ${shownFault ? "text-neg" : "text-ink-2"}`} aria-live="polite">
        {note}
      </span>
    </label>
  );
}

/**
 * The same amount in its other form: "= 1,500,000" if the text has a unit, "= 1.5 USDC" if the text is in smallest units.
 */
function toOtherForm(text: string, value: bigint, unit: AmountUnit | undefined): string {
  if (text.trim() !== value.toString()) return `= ${formatInteger(value)}`;
  return unit ? `= ${formatUnits(value, unit.decimals)} ${unit.symbol}` : "";
}
