/** The resource that a settled payment bought. */
import { Snippet } from "@/components/atoms/Snippet";
import { Sheet } from "@/components/layout/Sheet";
import { toPrettyJson } from "@/lib/json";
import { type FlowStep, findStep } from "@/lib/payflow/flow";

export function ResponseBody({ steps }: { steps: readonly FlowStep[] }) {
  const content = findStep(steps, "content");
  if (!content) return null;
  return (
    <Sheet title="Response body" id="result">
      <Snippet code={toPrettyJson(content.body)} what="Response body" />
    </Sheet>
  );
}
