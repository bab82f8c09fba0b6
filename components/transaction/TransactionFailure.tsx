"use client";
/** A failed transaction's headline: its outcome, the innermost call that failed, and why it failed. */
import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { FailureText } from "@/components/trace/FailureText";
import { findFailing } from "@/components/trace/failingFrame";
import { useReading } from "@/components/trace/useReadings";
import { toTabPath } from "@/components/transaction/TransactionTabs";
import { toFailureItems } from "@/components/transaction/transactionItems";
import { toDataText } from "@/lib/decode/summary";
import { plural } from "@/lib/plural";
import { traceQuery } from "@/lib/query/transaction";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

export function TransactionFailure({ hash, outcome }: { hash: string; outcome?: ReactNode }) {
  const source = useSource();
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
        <Failing hash={hash} frame={failing.frame} id={failing.id} />
      ) : (
        // The receipt and the trace disagree, so both are shown.
        <p>The receipt says failed, but re-execution succeeded.</p>
      )}
    </section>
  );
}

function Failing({ hash, frame, id }: { hash: string; frame: WireCallFrame; id: string }) {
  const trace = toTabPath(useNetwork().name, hash, "trace");
  const isOnTrace = usePathname() === trace;
  const depth = id.split(".").length - 1;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-6 gap-y-1">
      <div className="min-w-0">
        <div className="font-medium text-16">
          <FailureText frame={frame} />
        </div>
        {/* The sentence above describes the top-level call. */}
        {depth > 0 && <Place frame={frame} depth={depth} />}
      </div>
      {!isOnTrace && <AppLink href={`${trace}?frame=${id}`}>View in trace</AppLink>}
    </div>
  );
}

/** Where an inner call failed: "Thrown 2 calls deep, in transfer on USDC". */
function Place({ frame, depth }: { frame: WireCallFrame; depth: number }) {
  const [reading] = useReading(toFailureItems(frame).call);
  const creates = frame.type.startsWith("CREATE");
  const known = creates ? "create contract" : (reading?.name ?? (frame.input === "0x" ? "transfer" : undefined));
  const data = known === undefined ? toDataText(frame.input) : undefined;
  return (
    <p className="text-ink-2">
      Thrown {depth} {plural(depth, "call")} deep, in{" "}
      {data ? `a call with ${data}` : <code className="mono">{known ?? frame.input.slice(0, 10)}</code>}
      {frame.to && (
        <>
          {" "}
          {data ? "to" : "on"} <AddressLink contract address={frame.to} />
        </>
      )}
    </p>
  );
}
