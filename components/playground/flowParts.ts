/**
 * The details below a step's line: facts, headers, their decoded content, the bytes as sent, and how to reproduce them
 * by hand.
 */
import type { FlowStep } from "@/lib/payflow/flow";
import { chainParts } from "./chainParts";
import { clientParts } from "./clientParts";
import type { FlowPart, PartsByKind, PartsContext } from "./flowPart";
import { serverParts } from "./serverParts";

const partsByKind: PartsByKind<FlowStep["kind"]> = { ...clientParts, ...serverParts, ...chainParts };

/** code does the same by hand, if the step can be done by hand. */
export function toParts(step: FlowStep, context: PartsContext, code: string | undefined): FlowPart[] {
  // TypeScript cannot relate the two lookups by the same kind.
  const parts = partsByKind[step.kind](step as never, context);
  return code === undefined ? parts : [...parts, { tab: "code", label: "Equivalent code", text: code }];
}
