"use client";
/** All details of one frame or log in a trace. */
import { lazy } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { ExactNativeAmount } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { GasBar } from "@/components/atoms/GasBar";
import { Icon } from "@/components/atoms/Icon";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Sheet } from "@/components/layout/Sheet";
import { BytesView } from "@/components/trace/BytesView";
import { Readings } from "@/components/trace/DecodedView";
import { FailureText } from "@/components/trace/FailureText";
import { type TraceGas, type TraceRow, toFrameItem } from "@/components/trace/traceRows";
import { useReading } from "@/components/trace/useReadings";
import type { Decoded } from "@/lib/decode/decoded";
import { decodePrecompile } from "@/lib/decode/precompiles";
import { formatInteger } from "@/lib/units";

/** Loaded when a log is selected. */
const RawLog = lazy(async () => ({ default: (await import("./LogRow")).RawLog }));

type Gas = TraceGas & { refund: bigint; minimum: bigint };

/** `readings` are in the order that `toItems` returns. `isWide` shows a call's facts side by side. */
export function FrameDetail({
  row,
  name,
  readings,
  gas,
  isWide,
}: {
  row: TraceRow;
  /** The target and the function or event. */
  name: string;
  readings: Decoded[][];
  gas: Gas;
  isWide: boolean;
}) {
  const { log, id } = row;
  return (
    <Sheet
      id="frame"
      title={`${log ? "Log" : "Call"} ${id}: ${name}`}
      aside={<Copy value={() => window.location.href} what="link to this call" quiet={false} />}
    >
      {log ? (
        <div className="flex flex-col gap-2 px-4 py-3">
          <AddressLink full contract address={log.address} />
          <Readings readings={readings[0] ?? []} token={log.address} />
          <RawLog topics={log.topics} data={log.data} />
        </div>
      ) : (
        <Call row={row} gas={gas} isWide={isWide} />
      )}
    </Sheet>
  );
}

function Call({ row, gas, isWide }: { row: TraceRow; gas: Gas; isWide: boolean }) {
  const { frame } = row;
  const creates = frame.type.startsWith("CREATE");
  const { input, output = "0x", error } = frame;
  const readings = useReading(toFrameItem(frame));
  const failures = useReading(error === undefined || output === "0x" ? undefined : { kind: "error", data: output });
  const precompile = decodePrecompile(frame);
  const calls = precompile ? [precompile] : readings;
  const results = calls[0]?.results;
  return (
    <div>
      <InfoList label="Call" strip={isWide}>
        <InfoRow label="Type">
          <span className="method mono">{frame.type}</span>
        </InfoRow>
        <InfoRow label="From">
          <AddressLink full address={frame.from} />
        </InfoRow>
        {frame.to && (
          <InfoRow label={creates ? "Created contract" : "To"}>
            <AddressLink full contract address={frame.to} />
          </InfoRow>
        )}
        {frame.value !== undefined && (
          <InfoRow label="Value">
            <ExactNativeAmount copy wei={BigInt(frame.value)} />
          </InfoRow>
        )}
        <InfoRow label="Gas used" hint="By this call and its subcalls">
          <GasBar used={BigInt(frame.gasUsed)} limit={gas.total} whole="of the transaction" />
          {row.parent < 0 && <OtherGas gas={gas} />}
        </InfoRow>
        <InfoRow label="Gas limit">{formatInteger(BigInt(frame.gas))}</InfoRow>
      </InfoList>
      <div className="frame-data border-line border-t">
        <InfoList label="Data">
          {error !== undefined && (
            <InfoRow label="Failed">
              <div className="flex items-start gap-1.5 text-neg">
                <Icon name="cross" className="mt-1" />
                <div className="min-w-0">
                  <FailureText frame={frame} />
                </div>
              </div>
              {error !== "execution reverted" && <p className="text-ink-2">{error}</p>}
            </InfoRow>
          )}
          <InfoRow label={creates ? "Init code" : "Input data"}>
            <BytesView
              key={input}
              data={input}
              what="input data"
              readings={calls.map(({ results: _, ...reading }) => reading)}
              token={frame.to}
              selector={creates || precompile ? 0 : 4}
            />
          </InfoRow>
          {(error === undefined || output !== "0x") && (
            <InfoRow label={error !== undefined ? "Revert data" : creates ? "Deployed code" : "Output"}>
              <BytesView
                key={output}
                data={output}
                what="output"
                token={frame.to}
                selector={error === undefined ? 0 : 4}
                readings={
                  error === undefined && results && calls[0]
                    ? [{ ...calls[0], signature: "", interfaces: [], values: results, results: undefined }]
                    : failures
                }
              />
            </InfoRow>
          )}
        </InfoList>
      </div>
    </div>
  );
}

/** The part of the transaction's gas that no call used. */
function OtherGas({ gas: { before, refund, minimum } }: { gas: Gas }) {
  const notes = [
    before > 0n && `The other ${formatInteger(before)} is intrinsic gas, charged before this call.`,
    minimum > 0n && `A minimum charge added ${formatInteger(minimum)} at the end.`,
    refund > 0n && `The refund of ${formatInteger(refund)} is not subtracted here.`,
  ];
  return notes.map(
    (note) =>
      note && (
        <p key={note} className="text-13 text-ink-2">
          {note}
        </p>
      ),
  );
}
