"use client";
/** One line of a trace, for a call or log: its share of the gas, then the text, indented by depth. */
import { type CSSProperties, Fragment, memo } from "react";
import { ExactNativeAmount } from "@/components/atoms/Amount";
import { Hashmark } from "@/components/atoms/Hashmark";
import { Icon } from "@/components/atoms/Icon";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import type { TraceRow } from "@/components/trace/traceRows";
import { type LineParts, toErrorText, toLineParts, toLineText, toTarget } from "@/components/trace/traceText";
import { toChecksumAddress } from "@/lib/address";
import type { Decoded } from "@/lib/decode/decoded";
import { findPrecompileName } from "@/lib/decode/precompiles";
import { formatInteger, toPercent } from "@/lib/units";

export const TraceLine = memo(TraceLineView);

function TraceLineView({
  id,
  row,
  readings,
  total,
  isActive,
  isOpen,
  isMatch,
  canWrap,
  position,
  siblings,
  onChoose,
  onToggle,
}: {
  id: string;
  row: TraceRow;
  /** The best decoding of each item that toItems(row) returns. */
  readings: readonly (Decoded | undefined)[];
  /** The gas used by the whole transaction. */
  total: bigint;
  isActive: boolean;
  /** Whether the row's children are shown. Undefined if the row has no children. */
  isOpen: boolean | undefined;
  isMatch: boolean;
  /** On phones, and if the line is selected, long lines wrap instead of being cut. */
  canWrap: boolean;
  position: number;
  siblings: number;
  onChoose: () => void;
  onToggle: () => void;
}) {
  const { frame, log, depth } = row;
  return (
    // The tree has the focus and handles the keys. A click selects a row just as the arrow keys do.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant of the tree
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isActive}
      aria-expanded={isOpen}
      className={canWrap ? "trace-wraps" : "h-7"}
      data-failed={(frame.error !== undefined && !log) || undefined}
      onClick={onChoose}
    >
      <Gas row={row} total={total} />
      <span className="trace-indent" style={{ "--depth": depth } as CSSProperties}>
        <span
          aria-hidden
          className="grid size-6 flex-none place-items-center text-ink-3"
          onClick={(event) => {
            if (isOpen === undefined) return;
            event.stopPropagation();
            onToggle();
          }}
        >
          {isOpen !== undefined && <Icon name={isOpen ? "down" : "right"} />}
        </span>
        <LineText row={row} readings={readings} isMatch={isMatch} canWrap={canWrap} />
      </span>
    </div>
  );
}

function LineText({
  row,
  readings,
  isMatch,
  canWrap,
}: {
  row: TraceRow;
  readings: readonly (Decoded | undefined)[];
  isMatch: boolean;
  canWrap: boolean;
}) {
  const { frame, log } = row;
  const context = useNetworkContext();
  const parts = toLineParts(row, readings, context);
  // In a line that can wrap, it follows the call's last argument.
  const result = parts.result !== undefined && (
    <span className="trace-result mono" title="Returned">
      <Icon name="arrow" />
      {parts.result}
    </span>
  );
  return (
    <span className="trace-words flex min-h-6 min-w-0 flex-1 gap-x-2 max-sm:gap-x-1.5">
      <span className="method mono flex-none">{log ? "log" : frame.type}</span>
      <Target address={log ? log.address : frame.to} />
      {canWrap && !log && (
        <span className="ml-auto text-12 text-ink-3 sm:hidden">{formatInteger(BigInt(frame.gasUsed))} gas</span>
      )}
      {/* If there isn't enough room, this text is truncated first, so that a value or an error stays visible. */}
      <span
        className={`trace-text mono min-w-[10ch] max-sm:min-w-[8ch] max-sm:shrink-4 ${isMatch ? "underline underline-offset-3" : ""}`}
        title={toLineText(row, readings, context)}
      >
        <Parts parts={parts} />
        {canWrap && result}
      </span>
      {!canWrap && result}
      {!log && frame.value && frame.value !== "0x0" && <ExactNativeAmount wei={BigInt(frame.value)} />}
      {!log && frame.error !== undefined && (
        <span className="inline-flex flex-none items-center gap-1 font-medium text-neg max-sm:min-w-0 max-sm:shrink">
          <Icon name="cross" />
          <span className="trace-text">{toErrorText(row, readings, context)}</span>
        </span>
      )}
    </span>
  );
}

/** The function or event, with the names of its arguments fainter than their values. */
function Parts({ parts: { name, args } }: { parts: LineParts }) {
  if (!args?.length) return args ? `${name}()` : name;
  return (
    <>
      {name}
      <span className="text-ink-3">(</span>
      {args.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: arguments have no other identity
        <Fragment key={index}>
          {index > 0 && " "}
          <span className="trace-argument">
            {each.name !== "" && <span>{each.name}: </span>}
            {each.text}
            <span>{index < args.length - 1 ? "," : ")"}</span>
          </span>
        </Fragment>
      ))}
    </>
  );
}

function Target({ address }: { address: string | undefined }) {
  const context = useNetworkContext();
  if (address === undefined) return null;
  if (findPrecompileName(address)) return <span className="method flex-none">precompile</span>;
  return (
    <span className="identifier flex-none!" data-lit={address} title={toChecksumAddress(address)}>
      <Hashmark kind="contract" id={address} />
      <span className={context.names.has(address) ? "" : "mono"}>{toTarget(address, context)}</span>
    </span>
  );
}

/** The column of the calls' gas. On phones, lines that can wrap show the gas instead; in the others, the panel does. */
export const gasClass = "flex w-32 flex-none items-center justify-end gap-2 pr-3 max-sm:hidden";

function Gas({ row: { frame, log }, total }: { row: TraceRow; total: bigint }) {
  if (log) return <span className={gasClass} />;
  const used = BigInt(frame.gasUsed);
  return (
    <span className={`${gasClass} text-12 text-ink-3 leading-5`}>
      {formatInteger(used)}
      <span aria-hidden className="gas-bar w-10">
        <span style={{ width: `${toPercent(used, total)}%` }} />
      </span>
    </span>
  );
}
