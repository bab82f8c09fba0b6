"use client";
/**
 * When blocks are made and what time they have.
 */
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { BlockLink } from "@/components/chain/BlockLink";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useSource } from "@/components/chain/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import type { Tool } from "@/components/tools/useTool";
import { formatDate, formatDuration } from "@/lib/formatTime";
import { t } from "@/lib/messages/translateTools";
import { headNumberQuery } from "@/lib/query/queries";
import type { RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";

type State = NonNullable<RpcResult<"explorer_getDeveloperState">>;

const steps = [
  { label: "tools.minute", seconds: 60 },
  { label: "tools.hour", seconds: 3_600 },
  { label: "tools.day", seconds: 86_400 },
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
    <Sheet id="time" title={t("tools.time")}>
      <InfoList label={t("tools.time")}>
        <InfoRow label={t("tools.head")}>{head === undefined ? "—" : <BlockLink number={Number(head)} />}</InfoRow>
        <InfoRow label={t("tools.clock")}>
          {formatDate(state.clock)} <span className="text-ink-3">{toOffset(state.clockOffset)}</span>
        </InfoRow>
        <InfoRow label={t("tools.automine")}>{toRhythm(state)}</InfoRow>
      </InfoList>
      <form className="filter-row border-line border-t" onSubmit={mine}>
        <label className="max-w-32">
          <span className="label">{t("tools.mineCount")}</span>
          <input className="field" name="blocks" type="number" min={1} max={10_000} defaultValue={1} required />
        </label>
        <label className="max-w-32">
          <span className="label">{t("tools.mineSeconds")}</span>
          <input className="field" name="seconds" type="number" min={0} defaultValue={1} required />
        </label>
        <button type="submit" className="button button-primary" aria-busy={tool.busy}>
          {t("tools.mine")}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => tool.run({ method: "evm_setAutomine", params: [!state.automine] })}
        >
          {t(state.automine ? "tools.turnOff" : "tools.turnOn")}
        </button>
      </form>
      <fieldset className="filter-row border-b-0!">
        <legend className="sr-only">{t("tools.ahead")}</legend>
        <span aria-hidden className="label mr-1 self-center">
          {t("tools.ahead")}
        </span>
        {steps.map(({ label, seconds }) => (
          <button
            key={label}
            type="button"
            className="button"
            onClick={() => tool.run({ method: "evm_increaseTime", params: [toQuantity(seconds)] })}
          >
            {t(label)}
          </button>
        ))}
      </fieldset>
    </Sheet>
  );
}

function toOffset(seconds: number): string {
  if (seconds === 0) return t("tools.clockReal");
  const duration = formatDuration(Math.abs(seconds));
  return t(seconds > 0 ? "tools.clockAhead" : "tools.clockBehind", { duration });
}

function toRhythm({ automine, intervalSeconds }: State): string {
  if (intervalSeconds > 0) return t("tools.automineEvery", { seconds: intervalSeconds });
  return t(automine ? "tools.automineOn" : "tools.automineOff");
}
