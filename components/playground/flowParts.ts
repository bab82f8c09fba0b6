/** Builds a step's details: summary, headers, decoded content, raw bytes and equivalent code. */
import type { FlowStep } from "@/lib/payflow/flow";
import { chainParts } from "./chainParts";
import { clientParts } from "./clientParts";
import type { FlowPart, PartsByKind, PartsContext } from "./flowPart";
import { serverParts } from "./serverParts";

const partsByKind: PartsByKind<FlowStep["kind"]> = { ...clientParts, ...serverParts, ...chainParts };

/** `code` lets a reader reproduce the step by hand. It is undefined if that isn't possible. */
export function toParts(step: FlowStep, context: PartsContext, code: string | undefined): FlowPart[] {
  // The cast is needed because TypeScript can't tell that the function and the step have the same kind.
  const parts = partsByKind[step.kind](step as never, context);
  return code === undefined ? parts : [...parts, { tab: "code", label: "Equivalent code", text: code }];
}
