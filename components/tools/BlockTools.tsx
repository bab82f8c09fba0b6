"use client";
/** Tools that control when blocks are mined, and which timestamps they get. */
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { BlockLink } from "@/components/atoms/BlockLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { ToolRow } from "@/components/tools/ToolRow";
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
    void tool.run("mine", { method: "anvil_mine", params: [blocks, seconds] });
  }

  return (
    <Sheet id="time" title="Blocks and time">
      <div className="border-line border-b sm:[&_.info-strip]:grid-cols-[auto_minmax(0,auto)_auto] sm:[&_.info-strip]:justify-start sm:[&_.info-strip]:gap-x-10">
        <InfoList label="Blocks and time" strip>
          <InfoRow label="Newest block">{head === undefined ? "—" : <BlockLink number={Number(head)} />}</InfoRow>
          <InfoRow label="Chain clock">
            {formatDate(state.clock)}{" "}
            <span className="text-ink-3 max-sm:inline-block">{toOffset(state.clockOffset)}</span>
          </InfoRow>
          <InfoRow label="Mining">{toRhythm(state)}</InfoRow>
        </InfoList>
      </div>
      <ToolRow
        id="mine"
        title="Mine blocks"
        about="Mines blocks immediately, even if no transactions are pending. The interval is the time between their timestamps."
        tool={tool}
      >
        <form className="filter-row border-b-0! p-0!" onSubmit={mine}>
          <label className="max-w-32 basis-16!">
            <span className="label">Blocks</span>
            <input className="field" name="blocks" type="number" min={1} max={10_000} defaultValue={1} required />
          </label>
          <label className="max-w-32 basis-16!">
            <span className="label">Interval (s)</span>
            <input className="field" name="seconds" type="number" min={0} defaultValue={1} required />
          </label>
          <button type="submit" className="button button-primary" aria-busy={tool.busy}>
            Mine blocks
          </button>
        </form>
      </ToolRow>
      <ToolRow
        id="clock"
        title="Advance time"
        about="Moves the chain’s clock forward. The next block uses the new time."
        tool={tool}
      >
        <div className="flex flex-wrap gap-2">
          {steps.map(({ label, seconds }) => (
            <button
              key={label}
              type="button"
              className="button"
              onClick={() => tool.run("clock", { method: "evm_increaseTime", params: [toQuantity(seconds)] })}
            >
              {label}
            </button>
          ))}
          {state.clockOffset !== 0 && (
            <button
              type="button"
              className="button"
              onClick={() =>
                tool.run("clock", { method: "evm_setTime", params: [toQuantity(Math.floor(Date.now() / 1000))] })
              }
            >
              Back to real time
            </button>
          )}
        </div>
      </ToolRow>
      <ToolRow
        id="automine"
        title={state.automine ? "Automatic mining is on" : "Automatic mining is off"}
        about={
          state.automine
            ? "Each transaction is mined as soon as it arrives."
            : "Transactions stay in the pool until you mine a block."
        }
        tool={tool}
      >
        <button
          type="button"
          className="button self-start"
          aria-label={`${state.automine ? "Turn off" : "Turn on"} automatic mining`}
          onClick={() => tool.run("automine", { method: "evm_setAutomine", params: [!state.automine] })}
        >
          {state.automine ? "Turn off" : "Turn on"}
        </button>
      </ToolRow>
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
