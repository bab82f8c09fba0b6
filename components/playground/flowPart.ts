/** A part of a step's details. Each part appears in one tab, and empty tabs are hidden. */
import type { Decoded } from "@/lib/decode/decoded";
import { toJson } from "@/lib/json";
import type { FlowStep } from "@/lib/payflow/flow";
import { formatInteger } from "@/lib/units";
import type { Check } from "@/lib/x402/rules/rule";
import type { FlowValue, FormatAmount } from "./flowValue";

export const flowTabs = ["summary", "headers", "decoded", "raw", "code"] as const;
export type FlowTab = (typeof flowTabs)[number];

type FlowRow = { label: string; value: FlowValue };
export type FlowPart = { tab: FlowTab; label: string } & (
  | { text: string; beside?: { label: string; text: string } }
  | { rows: FlowRow[] }
  | { checks: Check[] }
  | { readings: Decoded[]; token: string | undefined }
);

export type PartsContext = { formatAmount: FormatAmount; steps: readonly FlowStep[] };

/** For each kind of step, a function that returns the step's parts. */
export type PartsByKind<Kind extends FlowStep["kind"]> = {
  [Each in Kind]: (step: Extract<FlowStep, { kind: Each }>, context: PartsContext) => FlowPart[];
};

/** Creates the summary, and leaves out rows that have no value. */
export function toSummary(...rows: (readonly [label: string, value: FlowValue | undefined])[]): FlowPart {
  const shown = rows.flatMap(([label, value]) => (value === undefined || value === "" ? [] : [{ label, value }]));
  return { tab: "summary", label: "Summary", rows: shown };
}

/** Creates two parts: the decoded header beside its raw text, and the raw text alone. */
export function toHeaderParts(name: string, header: string, decoded: unknown): FlowPart[] {
  const sent = { label: `${name} header as sent, ${formatInteger(header.length)} bytes`, text: header };
  return [
    { tab: "decoded", label: "Decoded", text: toJson(decoded), beside: sent },
    { tab: "raw", ...sent },
  ];
}

/** Creates two parts: the value as indented JSON, and as compact JSON, as it was sent. */
export function toJsonParts(label: string, value: unknown): FlowPart[] {
  return [
    { tab: "decoded", label, text: toJson(value) },
    { tab: "raw", label, text: JSON.stringify(value) },
  ];
}

/** One raw part, or an empty list if there is no text. */
export function toRawParts(label: string, text: unknown): FlowPart[] {
  return typeof text === "string" ? [{ tab: "raw", label, text }] : [];
}

export function toHeaderLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

export function toMs(tookMs: number | undefined): string | undefined {
  return tookMs === undefined ? undefined : `+${formatInteger(tookMs)} ms`;
}
