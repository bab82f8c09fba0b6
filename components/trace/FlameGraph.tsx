"use client";
/**
 * A flame graph of the gas that each call used. The graph and the tree always have the same call selected. Arrow keys
 * move between callers, calls and neighbors.
 */
import { type KeyboardEvent, useId, useMemo } from "react";
import { type FlameBar, findNextBar, listFlameBars } from "@/components/trace/flameBars";
import type { TraceGas, TraceRow } from "@/components/trace/traceRows";
import { toName } from "@/components/trace/traceText";
import { formatInteger, formatPercent } from "@/lib/units";

type Props = {
  rows: readonly TraceRow[];
  active: number;
  gas: TraceGas;
  lineOf: (row: TraceRow) => string;
  onChoose: (place: number) => void;
};

/** Pixels. */
const barHeight = 24;
/** Shares of the graph's width. The last bar of a row may have its label beside it, on phones more often. */
const minLabeledWidth = 0.1;
const minCutLabelWidth = 0.03;
const minPhoneLabeledWidth = 0.3;
const minRoomBeside = 0.25;
const arrows = /^(Arrow(Up|Down|Left|Right)|Home|End)$/;

export function FlameGraph({ rows, active, gas, lineOf, onChoose }: Props) {
  const id = useId();
  const bars = useMemo(() => listFlameBars(rows, gas), [rows, gas]);
  const lastBars = new Map(bars.map((bar) => [bar.depth, bar]));
  const depth = Math.max(...bars.map((bar) => bar.depth)) + 1;
  // If a log is selected, the graph selects the call that emitted it.
  const chosen = rows[active]?.log ? rows[active].parent : active;
  const isShown = bars.some(({ place }) => place === chosen);

  function onKeyDown(event: KeyboardEvent) {
    if (!arrows.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = findNextBar(bars, rows, chosen, event.key);
    if (next) onChoose(next.place);
  }

  return (
    <div
      role="listbox"
      aria-label="Gas by call"
      aria-activedescendant={isShown ? `${id}-${chosen}` : undefined}
      tabIndex={0}
      className="max-h-72 overflow-y-auto overscroll-y-contain p-4 text-12 focus-visible:-outline-offset-2"
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="relative" style={{ height: depth * barHeight }}>
        {gas.before > 0n && (
          <div
            aria-hidden
            className="absolute flex flex-wrap gap-x-1 overflow-hidden border border-surface bg-sunken px-1.5 text-ink-3 max-sm:px-0.5 leading-[22px]"
            style={{ width: `${(Number(gas.before) / Number(gas.total)) * 100}%`, height: barHeight }}
            title={`Intrinsic, charged before the first call\n${toGasText(gas.before, gas.total)}`}
          >
            {/* Without room, the number wraps out of sight. */}
            <span>intrinsic</span> <span>{formatInteger(gas.before)}</span>
          </div>
        )}
        {bars.map((bar) => (
          <Bar
            key={bar.place}
            id={`${id}-${bar.place}`}
            bar={bar}
            row={rows[bar.place]!}
            line={lineOf(rows[bar.place]!)}
            total={gas.total}
            isActive={bar.place === chosen}
            isLast={lastBars.get(bar.depth) === bar}
            onChoose={() => onChoose(bar.place)}
          />
        ))}
      </div>
    </div>
  );
}

function toGasText(gas: bigint, total: bigint): string {
  return `${formatInteger(gas)} gas, ${formatPercent(gas, total)}`;
}

function Bar({
  id,
  bar,
  row,
  line,
  total,
  isActive,
  isLast,
  onChoose,
}: {
  id: string;
  bar: FlameBar;
  row: TraceRow;
  line: string;
  total: bigint;
  isActive: boolean;
  isLast: boolean;
  onChoose: () => void;
}) {
  const failed = row.frame.error !== undefined;
  const gas = BigInt(row.frame.gasUsed);
  const color = failed ? "bg-neg/20 hover:bg-neg/35" : "bg-code/20 hover:bg-code/35";
  // The arguments are in the tooltip.
  const name = toName(line);
  const label = <Label name={name} gas={gas} />;
  const end = bar.start + bar.width;
  const hasRoomBeside = isLast && end <= 1 - minRoomBeside;
  const isInside = bar.width >= (hasRoomBeside ? minLabeledWidth : minCutLabelWidth);
  const isBesideOnPhones = hasRoomBeside && bar.width < minPhoneLabeledWidth;
  const top = bar.depth * barHeight;
  return (
    <>
      {/* The list has the focus and handles the keys, so a bar needs no key handler. A click selects a bar just as the
      arrow keys do. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant of the list */}
      <div
        id={id}
        role="option"
        aria-selected={isActive}
        aria-label={`${name} ${toGasText(gas, total)}${failed ? ", failed" : ""}`}
        title={`${line}\n${toGasText(gas, total)}${failed ? "\nfailed" : ""}`}
        className={`@container absolute cursor-default overflow-hidden whitespace-nowrap border border-surface font-mono leading-[22px] aria-selected:border-ink ${color}`}
        style={{ left: `${bar.start * 100}%`, top, width: `${bar.width * 100}%`, height: barHeight }}
        onClick={onChoose}
      >
        {/* The label has the padding, so that a bar can be narrower than it. */}
        {isInside && (
          <span className={`block px-1.5 ${isBesideOnPhones ? "max-sm:hidden" : "@max-[2.5rem]:hidden"}`}>{label}</span>
        )}
      </div>
      {(isInside ? isBesideOnPhones : hasRoomBeside) && (
        <span
          aria-hidden
          className={`absolute right-0 overflow-hidden whitespace-nowrap px-1.5 font-mono text-ink-2 leading-6 ${isInside ? "sm:hidden" : ""}`}
          style={{ left: `${end * 100}%`, top, height: barHeight }}
        >
          {label}
        </span>
      )}
    </>
  );
}

/**
 * The function's name, on wide screens after its target, and its gas. If there is no room for some of the name and the
 * gas, the gas wraps out of sight.
 */
function Label({ name, gas }: { name: string; gas: bigint }) {
  const nameStart = name.lastIndexOf(".") + 1;
  return (
    <span className="flex flex-wrap gap-x-[1ch]">
      <span className="max-w-max flex-[1_1_12ch] truncate">
        <span className="max-sm:hidden">{name.slice(0, nameStart)}</span>
        {name.slice(nameStart)}
      </span>{" "}
      <span>{formatInteger(gas)}</span>
    </span>
  );
}
