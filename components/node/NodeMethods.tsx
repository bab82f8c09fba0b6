"use client";
/** The number of requests, errors and the duration per JSON-RPC method. At first, lists only the most used methods. */
import { useState } from "react";
import { Hinted } from "@/components/atoms/Hinted";
import { NamespaceChoice } from "@/components/atoms/NamespaceChoice";
import { Sheet } from "@/components/layout/Sheet";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { formatMs } from "@/components/node/formatMs";
import { plural } from "@/lib/plural";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatInteger } from "@/lib/units";

type MethodRow = RpcResult<"explorer_getNodeStatus">["methods"][number];

/** A value's name, which the column's header has on wider screens. */
const phoneClass = "text-ink-3 md:hidden";

/** The node counts times in ranges, so it knows only in which range a percentile is. */
const boundHint = "At most this long. Times are counted in ranges that grow by a factor of 1.4";

const methodColumns: Column<MethodRow>[] = [
  { id: "method", head: "Method", narrow: "lead", cell: (row) => <code className="mono">{row.method}</code> },
  {
    id: "requests",
    head: "Requests",
    align: "right",
    width: "md:w-17 lg:w-28",
    narrow: "below",
    cell: (row) => (
      <>
        {formatInteger(row.requests)} <span className={phoneClass}>{plural(row.requests, "request")}</span>
      </>
    ),
  },
  {
    id: "errors",
    head: "Errors",
    align: "right",
    width: "md:w-14 lg:w-24",
    cell: (row) => <span className={row.errors === 0 ? "text-ink-3" : ""}>{formatInteger(row.errors)}</span>,
  },
  { id: "mean", head: "Mean", align: "right", width: "md:w-19 lg:w-28", cell: (row) => formatMs(row.meanMs) },
  {
    id: "median",
    head: <Hinted hint={boundHint}>p50</Hinted>,
    align: "right",
    width: "md:w-19 lg:w-28",
    narrow: "belowTrail",
    cell: (row) => (
      <>
        <span className={phoneClass}>p50</span> {formatMs(row.medianMs)}
        <span className="md:hidden">
          {" "}
          <span className={phoneClass}>· p99</span> {formatMs(row.p99Ms)}
        </span>
      </>
    ),
  },
  {
    id: "p99",
    head: <Hinted hint={boundHint}>p99</Hinted>,
    align: "right",
    width: "md:w-22 lg:w-28",
    cell: (row) => formatMs(row.p99Ms),
  },
  {
    id: "max",
    head: "Slowest",
    align: "right",
    width: "md:w-23 lg:w-28",
    narrow: "last",
    cell: (row) => (
      <span className="max-md:flex max-md:justify-between">
        <span className="md:hidden">
          {formatInteger(row.errors)} <span className={phoneClass}>{plural(row.errors, "error")}</span>
        </span>
        <span>
          <span className="md:hidden">
            <span className={phoneClass}>mean</span> {formatMs(row.meanMs)}{" "}
            <span className={phoneClass}>· slowest</span>{" "}
          </span>
          {formatMs(row.maxMs)}
        </span>
      </span>
    ),
  },
];

/** The number of methods listed before the reader asks for all of them. */
const firstMethods = 6;

/** Returns "eth" for "eth_call". */
const toNamespace = (method: string) => method.split(/[_.]/, 1)[0] ?? method;

export function NodeMethods({ methods }: { methods: MethodRow[] }) {
  const [namespace, setNamespace] = useState("");
  const [isWhole, setWhole] = useState(false);
  const namespaces = [...new Set(methods.map(({ method }) => toNamespace(method)))].toSorted();
  const shown = methods.filter(({ method }) => namespace === "" || toNamespace(method) === namespace);
  // A failed request counts in the totals above, so its method is always listed.
  const listed = isWhole ? shown : shown.filter(({ errors }, place) => place < firstMethods || errors > 0);
  return (
    <Sheet
      id="methods"
      title="Requests per method"
      aside={
        <NamespaceChoice className="-my-1 w-auto!" namespaces={namespaces} chosen={namespace} onChoose={setNamespace} />
      }
    >
      {/* On phones, a method has a line of its own. */}
      <div className="max-md:[&_.narrow-lead]:col-span-full">
        <DataTable caption="Requests per method" columns={methodColumns} rows={listed} getKey={(row) => row.method} />
      </div>
      {listed.length < shown.length && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-2">
          <span className="text-13 text-ink-2">The most used methods, and those with errors</span>
          <button type="button" className="button ml-auto" onClick={() => setWhole(true)}>
            Show all {shown.length} methods
          </button>
        </p>
      )}
    </Sheet>
  );
}
