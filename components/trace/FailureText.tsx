"use client";
/**
 * Explains revert data: the contract's message, a panic's meaning, a known error with its values, or the bytes. Without
 * data, shows the engine's error, such as out of gas.
 */
import { lazy } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TokenAmount } from "@/components/atoms/Amount";
import { PastedAbis } from "@/components/trace/PastedAbisButton";
import { useReading } from "@/components/trace/useReadings";
import { toFailure } from "@/lib/decode/failure";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

/** Loaded separately, because only custom errors need it. */
const DecodedView = lazy(async () => ({ default: (await import("./DecodedView")).DecodedView }));

export function FailureText({ frame }: { frame: WireCallFrame }) {
  const token = frame.to ?? "";
  const failure = toFailure(frame.output);
  switch (failure.kind) {
    case "text":
      return (
        <span className="font-medium">
          Reverted with <q>{failure.text}</q>
        </span>
      );
    case "panic":
      return (
        <span className="font-medium">
          Panic: {failure.text} ({`0x${failure.code.toString(16)}`})
        </span>
      );
    case "insufficientBalance":
      return (
        <>
          <AddressLink address={failure.account} /> had <TokenAmount units={failure.balance} token={token} />, but{" "}
          <TokenAmount units={failure.needed} token={token} /> was needed.
        </>
      );
    case "insufficientAllowance":
      return (
        <>
          <AddressLink address={failure.spender} /> was allowed to spend{" "}
          <TokenAmount units={failure.allowance} token={token} />, but{" "}
          <TokenAmount units={failure.needed} token={token} /> was needed.
        </>
      );
    case "custom":
      return <CustomError data={frame.output ?? "0x"} selector={failure.selector} />;
    case "empty":
      return <span>{toEngineReason(frame)}</span>;
  }
}

function CustomError({ data, selector }: { data: string; selector: string }) {
  const [reading] = useReading({ kind: "error", data });
  if (reading) return <DecodedView decoded={reading} />;
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="flex flex-wrap items-center gap-x-3">
        Reverted with the custom error {selector}
        <PastedAbis />
      </span>
      {data.length > 10 && <code className="mono break-all text-ink-2">{data.slice(0, 1000)}</code>}
    </span>
  );
}

/** The engine's error, such as out of gas, for a failure without revert data. */
export function toEngineReason({ error = "execution reverted", revertReason, output = "0x" }: WireCallFrame): string {
  if (revertReason) return revertReason;
  if (error === "execution reverted") return output === "0x" ? "Reverted without a reason" : output;
  return error.charAt(0).toUpperCase() + error.slice(1);
}
