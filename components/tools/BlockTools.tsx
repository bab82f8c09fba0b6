"use client";
/** Controls when blocks are mined, and their timestamps. */
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { BlockLink } from "@/components/atoms/BlockLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import type { Tool } from "@/components/tools/useTool";
import { formatDate, formatDuration } from "@/lib/formatTime";
import { plural } from "@/lib/plural";
import { headNumberQuery } from "@/lib/query/queries";
import type { RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";

type State = NonNullable<RpcResult<"explorer_getDeveloperState">>;

const steps = [
  { label: "1 minute", seconds: 60 },
  { label: "1 hour", seconds: 3_600 },
  { label: "1 day", seconds: 86_400 },
] as const;

export function BlockTools({ state, tool }: { state: State; tool: Tool }) {
  const { data: head } = useQuery(headNumberQuery(useSource()));

  function mine(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [blocks, seconds] = ["blocks", "seconds"].map((name) => toQuantity(Number(form.get(name) ?? 1)));
    void tool.run({ method: "anvil_mine", params: [blocks, seconds] });
  }

  return (
    <Sheet id="time" title="Blocks and time">
      <InfoList label="Blocks and time">
        <InfoRow label="Newest block">{head === undefined ? "—" : <BlockLink number={Number(head)} />}</InfoRow>
        <InfoRow label="Chain clock">
          {formatDate(state.clock)} <span className="text-ink-3">{toOffset(state.clockOffset)}</span>
        </InfoRow>
        <InfoRow label="Mining">{toRhythm(state)}</InfoRow>
      </InfoList>
      <form className="filter-row border-line border-t" onSubmit={mine}>
        <label className="max-w-32">
          <span className="label">Blocks</span>
          <input className="field" name="blocks" type="number" min={1} max={10_000} defaultValue={1} required />
        </label>
        <label className="max-w-32">
          <span className="label">Interval (s)</span>
          <input className="field" name="seconds" type="number" min={0} defaultValue={1} required />
        </label>
        <button type="submit" className="button button-primary" aria-busy={tool.busy}>
          Mine blocks
        </button>
        <button
          type="button"
          className="button"
          onClick={() => tool.run({ method: "evm_setAutomine", params: [!state.automine] })}
        >
          {state.automine ? "Mine manually" : "Mine automatically"}
        </button>
      </form>
      <fieldset className="filter-row border-b-0!">
        <legend className="sr-only">Advance time</legend>
        <span aria-hidden className="label mr-1 self-center">
          Advance time
        </span>
        {steps.map(({ label, seconds }) => (
          <button
            key={label}
            type="button"
            className="button"
            onClick={() => tool.run({ method: "evm_increaseTime", params: [toQuantity(seconds)] })}
          >
            {label}
          </button>
        ))}
      </fieldset>
    </Sheet>
  );
}

function toOffset(seconds: number): string {
  if (seconds === 0) return "in sync with real time";
  const duration = formatDuration(Math.abs(seconds));
  return seconds > 0 ? `${duration} ahead of real time` : `${duration} behind real time`;
}

function toRhythm({ automine, intervalSeconds }: State): string {
  if (intervalSeconds > 0) return `every ${intervalSeconds} ${plural(intervalSeconds, "second")}`;
  return automine ? "automatic" : "manual";
}
