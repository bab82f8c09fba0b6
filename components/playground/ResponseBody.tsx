/** The resource that a settled payment bought. */
import { Snippet } from "@/components/atoms/Snippet";
import { Sheet } from "@/components/layout/Sheet";
import { toPrettyJson } from "@/lib/json";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { formatBytes } from "@/lib/units";

export function ResponseBody({ steps }: { steps: readonly FlowStep[] }) {
  const content = findStep(steps, "content");
  if (!content) return null;
  const text = toPrettyJson(content.body);
  const size = formatBytes(content.size ?? new TextEncoder().encode(content.body).length);
  return (
    <Sheet
      title="Response body"
      id="result"
      aside={
        <span className="text-13 text-ink-2">
          {size}, {text.split("\n").length} lines
        </span>
      }
    >
      <Snippet code={text} what="Response body" isWhole wraps />
    </Sheet>
  );
}
