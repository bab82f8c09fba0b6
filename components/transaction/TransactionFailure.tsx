"use client";
/** A failed transaction's headline: its outcome, why and where it failed, and what the sender paid for it. */
import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { FailureText } from "@/components/trace/FailureText";
import { findFailing } from "@/components/trace/failingFrame";
import { useReading } from "@/components/trace/useReadings";
import { toTabPath } from "@/components/transaction/TransactionTabs";
import { toFailureItems } from "@/components/transaction/transactionItems";
import { toFeeWei } from "@/lib/decode/internals";
import { toDataText } from "@/lib/decode/summary";
import { plural } from "@/lib/plural";
import { traceQuery } from "@/lib/query/transaction";
import type { WireReceipt } from "@/lib/query/wire";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { formatInteger } from "@/lib/units";

/** `outcome` is shown on the transaction's own page. Elsewhere, the failure is below the fee. */
export function TransactionFailure({ receipt, outcome }: { receipt: WireReceipt; outcome?: ReactNode }) {
  const source = useSource();
  const hash = receipt.transactionHash;
  const { data: root, error } = useQuery(traceQuery(source, hash));
  const failing = root && findFailing(root);
  return (
    <section className="notice notice-neg flex-col gap-1!" aria-label="Why it failed">
      {outcome}
      {error ? (
        <p>Couldn’t find out why it failed: {error.message}</p>
      ) : root === undefined ? (
        <span className="skeleton my-1.5 w-64" />
      ) : failing ? (
        <div className="min-w-0">
          <div className="flex flex-wrap items-baseline gap-x-4">
            {/* A table of values has a line of its own. */}
            <div className="min-w-0 font-medium text-16 has-[dl]:basis-full">
              <FailureText frame={failing.frame} />
            </div>
            <TraceLink hash={hash} id={failing.id} />
          </div>
          <Place frame={failing.frame} depth={failing.id.split(".").length - 1} />
        </div>
      ) : (
        // The receipt and the trace disagree, so both are shown.
        <p>The receipt says failed, but re-execution succeeded.</p>
      )}
      {outcome && (
        <p className="text-ink-2">
          The sender paid <GasCost wei={toFeeWei(receipt)} /> for {formatInteger(BigInt(receipt.gasUsed))} gas.
        </p>
      )}
    </section>
  );
}

function TraceLink({ hash, id }: { hash: string; id: string }) {
  const trace = toTabPath(useNetwork().name, hash, "trace");
  if (usePathname() === trace) return null;
  return <AppLink href={`${trace}?frame=${id}`}>View in trace</AppLink>;
}

/**
 * Where it failed. For an inner call: "Thrown 2 calls deep, in transfer on USDC." The sentence above names the outer
 * call, but says nothing about a constructor.
 */
function Place({ frame, depth }: { frame: WireCallFrame; depth: number }) {
  const [reading] = useReading(toFailureItems(frame).call);
  const creates = frame.type.startsWith("CREATE");
  const known = creates ? "create contract" : (reading?.name ?? (frame.input === "0x" ? "transfer" : undefined));
  const data = known === undefined ? toDataText(frame.input) : undefined;
  if (depth === 0) {
    if (!creates) return null;
    const outcome = frame.error === "execution reverted" ? "reverted" : "failed";
    return <p className="text-ink-2">The constructor {outcome}, so no contract was created.</p>;
  }
  return (
    <p className="text-ink-2 [&_.identifier]:ml-0.5 [&_.identifier]:gap-1">
      Thrown {depth} {plural(depth, "call")} deep, in{" "}
      {data ? `a call with ${data}` : <code className="mono">{known ?? frame.input.slice(0, 10)}</code>}
      {frame.to && (
        <>
          {" "}
          {data ? "to" : "on"} <AddressLink contract address={frame.to} />
        </>
      )}
      .
    </p>
  );
}
