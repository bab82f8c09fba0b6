/** The resource that a settled payment bought. */
import { Capped } from "@/components/atoms/Capped";
import { Snippet } from "@/components/atoms/Snippet";
import { Sheet } from "@/components/layout/Sheet";
import { toPrettyJson } from "@/lib/json";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { plural } from "@/lib/plural";
import { formatBytes } from "@/lib/units";

/** Longer responses are capped. */
const mostWholeLines = 14;

export function ResponseBody({ steps }: { steps: readonly FlowStep[] }) {
  const content = findStep(steps, "content");
  if (!content) return null;
  const text = toPrettyJson(content.body);
  const lines = text.split("\n").length;
  const size = formatBytes(content.size ?? new TextEncoder().encode(content.body).length);
  const isCut = content.size !== undefined && content.body.endsWith("…");
  return (
    <Sheet
      title="Response body"
      id="result"
      aside={
        <span className="text-13 text-ink-2">
          {size}, {isCut && "first "}
          {lines} {plural(lines, "line")}
        </span>
      }
    >
      <Capped isLong={lines > mostWholeLines} all={`${lines} lines`}>
        <Snippet code={text} what="Response body" isWhole wraps />
      </Capped>
      {isCut && (
        <p className="border-line border-t px-4 py-2 text-12 text-ink-2">
          The node keeps the beginning of a long response. Pay again to see all of it.
        </p>
      )}
    </Sheet>
  );
}
