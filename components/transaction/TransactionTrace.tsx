"use client";
/**
 * The trace tab: shows every call in the transaction as a tree, and the selected call in full. The URL identifies the
 * selected call (?frame=0.2.1).
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { lazy, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { Copy } from "@/components/atoms/Copy";
import { useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { FrameDetail } from "@/components/trace/FrameDetail";
import { PastedAbis } from "@/components/trace/PastedAbisButton";
import { usePastedDecoder } from "@/components/trace/pastedAbis";
import { TraceTree } from "@/components/trace/TraceTree";
import {
  batchRows,
  isInner,
  leastSearchedRows,
  listShown,
  listTraceRows,
  mostShortRows,
  type TraceRow,
  toBatch,
  toItemKey,
  toItems,
  toOwnGas,
} from "@/components/trace/traceRows";
import { toLineText, toName, toTraceText } from "@/components/trace/traceText";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { useGasSplit } from "@/components/transaction/useGasSplit";
import type { Decoded, DecodeItem } from "@/lib/decode/decoded";
import { sumGas } from "@/lib/decode/gasSplit";
import { plural } from "@/lib/plural";
import { transactionQuery } from "@/lib/query/queries";
import { decodeQuery, traceQuery } from "@/lib/query/transaction";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

/** Loaded separately, because only traces with several calls have them. */
const FlameGraph = lazy(async () => ({ default: (await import("@/components/trace/FlameGraph")).FlameGraph }));
const TraceTools = lazy(async () => ({ default: (await import("@/components/trace/TraceTools")).TraceTools }));

export function TransactionTrace({ hash }: { hash: string }) {
  const source = useSource();
  const query = traceQuery(source, hash);
  const { data: transaction } = useQuery(transactionQuery(source, hash));
  return (
    <TransactionMined hash={hash}>
      {(receipt) => (
        <QueryContent framed query={query} rows={8} label="Tracing the transaction">
          {(root) => transaction && <Trace key={hash} root={root} transaction={transaction} receipt={receipt} />}
        </QueryContent>
      )}
    </TransactionMined>
  );
}

/** How many batches of rows are decoded initially. Later batches are decoded when the visitor scrolls to them. */
const firstBatches = 4;

/** Decodes each batch, and returns the results in order. A result is undefined until the node has responded. */
function useBatchReadings(batches: readonly DecodeItem[][]): readonly (Decoded[][] | undefined)[] {
  const source = useSource();
  const client = useQueryClient();
  const first = batches[0] ?? [];
  const { data } = useQuery({ ...decodeQuery(source, first), enabled: first.length > 0 });
  const [later, setLater] = useState<ReadonlyMap<number, Decoded[][]>>(new Map());
  useEffect(() => {
    batches.forEach((items, batch) => {
      if (batch === 0 || items.length === 0) return;
      client.fetchQuery(decodeQuery(source, items)).then(
        (read) => setLater((before) => new Map(before).set(batch, read)),
        // Rows that can't be decoded show their selector.
        () => {},
      );
    });
  }, [batches, client, source]);
  return useMemo(() => batches.map((_, batch) => (batch === 0 ? data : later.get(batch))), [batches, data, later]);
}

/** Decodes the rows' data, and returns the results by item key. */
function useRowReadings(rows: readonly TraceRow[], seenRow: number) {
  const pasted = usePastedDecoder();
  const last = Math.min(
    Math.max(firstBatches, Math.floor(seenRow / batchRows) + 2),
    Math.ceil(rows.length / batchRows),
  );
  const batches = useMemo(() => Array.from({ length: last }, (_, batch) => toBatch(rows, batch)), [rows, last]);
  const answers = useBatchReadings(batches);
  return useMemo(() => {
    const readings = new Map<string, Decoded[]>();
    batches.forEach((items, batch) => {
      items.forEach((item, index) => {
        readings.set(toItemKey(item), [...(pasted?.decode(item) ?? []), ...(answers[batch]?.[index] ?? [])]);
      });
    });
    return readings;
  }, [batches, answers, pasted]);
}

/** Returns a function that formats a row of the trace as a line of text. */
function useLines(readings: ReadonlyMap<string, Decoded[]>): (row: TraceRow) => string {
  const context = useNetworkContext();
  return useCallback((row) => toLineText(row, listBest(row, readings), context), [readings, context]);
}

/** The best decoding of each item that toItems(row) returns. */
const listBest = (row: TraceRow, readings: ReadonlyMap<string, Decoded[]>) =>
  toItems(row).map((item) => readings.get(toItemKey(item))?.[0]);

/** Returns the indexes of the rows that contain the search text, or undefined if there is no search. */
function useMatches(rows: readonly TraceRow[], lineOf: (row: TraceRow) => string, search: string) {
  // Calldata and topics contain addresses without the prefix.
  const wanted = useDeferredValue(
    search
      .trim()
      .toLowerCase()
      .replace(/^0x(?=[0-9a-f]{8})/, ""),
  );
  return useMemo(() => {
    if (wanted === "") return undefined;
    return new Set(rows.flatMap((row, place) => (toHaystack(row, lineOf(row)).includes(wanted) ? [place] : [])));
  }, [wanted, rows, lineOf]);
}

/** The transaction's gas. Undefined until it is known which part of it was charged before the top-level call. */
function useTraceGas(transaction: WireTransaction, receipt: WireReceipt) {
  const split = useGasSplit(transaction, receipt);
  const parts = split?.parts.filter(({ kind }) => kind !== "minimum");
  const total = parts && sumGas(parts);
  const before = parts && sumGas(parts.filter(({ kind }) => kind !== "execution"));
  const refund = split?.refund ?? 0n;
  const minimum = split?.parts.find(({ kind }) => kind === "minimum")?.gas ?? 0n;
  return useMemo(
    () => (total === undefined || before === undefined ? undefined : { total, before, refund, minimum }),
    [total, before, refund, minimum],
  );
}

type TraceProps = { root: WireCallFrame; transaction: WireTransaction; receipt: WireReceipt };

function Trace({ root, transaction, receipt }: TraceProps) {
  const context = useNetworkContext();
  const gas = useTraceGas(transaction, receipt);
  const rows = useMemo(() => listTraceRows(gas ? toOwnGas(root, gas) : root), [root, gas]);
  const allGas = gas ?? { total: BigInt(root.gasUsed), before: 0n, refund: 0n, minimum: 0n };
  const asked = useSearchParams().get("frame");
  const [active, setActive] = useState(() => Math.max(rows.map(({ id }) => id).indexOf(asked ?? ""), 0));
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState("");
  const [seenRow, setSeenRow] = useState(0);
  const readings = useRowReadings(rows, Math.max(seenRow, active));
  const lineOf = useLines(readings);
  const matches = useMatches(rows, lineOf, search);
  const shown = useMemo(() => listShown(rows, closed, matches), [rows, closed, matches]);

  function choose(place: number) {
    setActive(place);
    const url = new URL(window.location.href);
    url.searchParams.set("frame", rows[place]!.id);
    window.history.replaceState(null, "", url);
  }
  const calls = rows.filter(({ log }) => log === undefined).length;
  const logs = rows.length - calls;
  const row = rows[active]!;
  const isShort = rows.length <= mostShortRows;
  return (
    <div
      className={`grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 ${isShort ? "" : "xl:grid-cols-[minmax(0,1fr)_27rem]"}`}
    >
      <div className="flex min-w-0 flex-col gap-6 [&>:last-child]:grow">
        {gas && calls > 1 && (
          <Sheet id="flame" title="Gas by call">
            <FlameGraph rows={rows} active={active} gas={gas} lineOf={lineOf} onChoose={choose} />
          </Sheet>
        )}
        <Sheet
          id="trace"
          title={`${calls} ${plural(calls, "call")}${logs > 0 ? `, ${logs} ${plural(logs, "log")}` : ""}`}
          aside={
            <span className="flex flex-wrap items-center gap-2">
              {(rows.length >= leastSearchedRows || rows.some(isInner)) && (
                <TraceTools
                  {...{ rows, closed }}
                  text={search}
                  matches={matches?.size}
                  onSearch={setSearch}
                  onFold={setClosed}
                />
              )}
              <PastedAbis />
              <Copy
                value={() => toTraceText(rows, (each) => listBest(each, readings), context)}
                what="trace as text"
                quiet={false}
              />
            </span>
          }
        >
          <TraceTree
            rows={rows}
            total={allGas.total}
            shown={shown}
            active={active}
            closed={closed}
            matches={matches}
            readings={readings}
            lineOf={lineOf}
            onChoose={choose}
            onSeen={setSeenRow}
            onToggle={(id) =>
              setClosed((before) => {
                const after = new Set(before);
                if (!after.delete(id)) after.add(id);
                return after;
              })
            }
          />
        </Sheet>
      </div>
      <div className={`min-w-0 ${isShort ? "frame-below" : "frame-beside"}`}>
        <FrameDetail
          row={row}
          name={toName(lineOf(row))}
          readings={toItems(row).map((item) => readings.get(toItemKey(item)) ?? [])}
          gas={allGas}
          isWide={isShort}
        />
      </div>
    </div>
  );
}

/** The number of characters of calldata that a search looks at. */
const searchedInput = 2_000;

function toHaystack({ frame, log }: TraceRow, line: string): string {
  const own = log
    ? `${log.address} ${log.topics.join(" ")}`
    : `${frame.from} ${frame.to ?? ""} ${frame.input.slice(0, searchedInput)} ${frame.error ?? ""}`;
  return `${line} ${own}`.toLowerCase();
}
