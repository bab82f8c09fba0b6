/** The details of a step, in tabs. There is one tab for each kind of detail. */
"use client";

import { useState } from "react";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Snippet } from "@/components/atoms/Snippet";
import { Readings } from "@/components/trace/DecodedView";
import { CheckTable } from "./CheckTable";
import { FlowValueText } from "./FlowText";
import { type FlowPart, type FlowTab, flowTabs } from "./flowPart";
import type { FormatAmount } from "./flowValue";

const tabLabels = {
  summary: "Summary",
  headers: "Headers",
  decoded: "Decoded",
  raw: "Raw",
  code: "Code",
};

export function FlowStepParts({ parts, formatAmount }: { parts: readonly FlowPart[]; formatAmount: FormatAmount }) {
  const tabs = flowTabs.filter((tab) => parts.some((part) => part.tab === tab));
  const [chosen, setChosen] = useState<FlowTab | undefined>(undefined);
  const shown = chosen !== undefined && tabs.includes(chosen) ? chosen : tabs[0];
  return (
    <>
      {tabs.length > 1 && (
        <span className="segmented flow-tabs">
          {tabs.map((tab) => (
            <button key={tab} type="button" aria-pressed={tab === shown} onClick={() => setChosen(tab)}>
              {tabLabels[tab]}
            </button>
          ))}
        </span>
      )}
      {parts
        .filter(({ tab }) => tab === shown)
        .map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps of a row may have parts with the same label
          <Part key={index} part={part} formatAmount={formatAmount} />
        ))}
    </>
  );
}

function Part({ part, formatAmount }: { part: FlowPart; formatAmount: FormatAmount }) {
  if ("rows" in part) {
    if (part.rows.length === 0) return null;
    return (
      <InfoList label={part.label}>
        {part.rows.map(({ label, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows of one step may have one label
          <InfoRow key={index} label={label}>
            <FlowValueText value={value} />
          </InfoRow>
        ))}
      </InfoList>
    );
  }
  if ("text" in part && part.beside) {
    return (
      <div className="flow-beside">
        <Block label={part.label} text={part.text} />
        <Block label={part.beside.label} text={part.beside.text} />
      </div>
    );
  }
  if ("text" in part) return <Block label={part.label} text={part.text} />;
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-12 font-medium text-ink-2">{part.label}</h3>
      {"checks" in part ? (
        <CheckTable label={part.label} checks={part.checks} formatAmount={formatAmount} />
      ) : (
        <Readings readings={part.readings} token={part.token} />
      )}
    </div>
  );
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="text-12 font-medium text-ink-2">{label}</h3>
      <Snippet code={text} what={label} />
    </div>
  );
}
