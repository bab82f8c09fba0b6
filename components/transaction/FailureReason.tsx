"use client";
/** Says in a few words why a transaction failed, for a row in a list. */
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { toEngineReason } from "@/components/trace/FailureText";
import { useReading } from "@/components/trace/useReadings";
import { type Failure, toFailure } from "@/lib/decode/failure";
import { failureQuery } from "@/lib/query/transaction";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

export function FailureReason({ hash }: { hash: string }) {
  const { data: frame, isError } = useQuery(failureQuery(useSource(), hash));
  const failure = frame && toFailure(frame.output);
  const isCustom = failure?.kind === "custom";
  const [reading] = useReading(isCustom ? { kind: "error", data: frame?.output ?? "0x" } : undefined);
  // Some remote nodes can't trace transactions.
  if (isError) return <span className="text-ink-3">unknown</span>;
  if (!frame || !failure) return <span className="skeleton w-28" />;
  const text = isCustom && reading?.name ? reading.name : toShortText(failure, frame);
  return (
    <span className="block truncate md:max-lg:line-clamp-2 md:max-lg:whitespace-normal" title={text}>
      {text}
    </span>
  );
}

function toShortText(failure: Failure, frame: WireCallFrame): string {
  switch (failure.kind) {
    case "text":
      return failure.text;
    case "panic":
      return `Panic: ${failure.text}`;
    case "insufficientBalance":
      return "Insufficient token balance";
    case "insufficientAllowance":
      return "Insufficient allowance";
    case "custom":
      return `Custom error ${failure.selector}`;
    case "empty":
      return toEngineReason(frame);
  }
}
