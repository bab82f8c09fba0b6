/** A method's one-line summary, and what running the method changes. */
import { Icon } from "@/components/atoms/Icon";
import type { MethodDescription } from "@/lib/rpc/schema/description";

const effectLabels = {
  reads: "Read-only",
  runs: "Simulates (no state change)",
  filters: "Changes a filter",
  sends: "Sends a transaction",
  follows: "Needs a WebSocket",
  signs: "The node signs or pays for a transaction",
  controls: "Changes chain state",
};

export function MethodHead({ method: { name, summary, effect } }: { method: MethodDescription }) {
  const isRisky = effect === "sends" || effect === "signs" || effect === "controls";
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="wrap-anywhere font-mono font-semibold text-16 leading-5" id="method">
          {name}
        </h2>
        <span className={`inline-flex items-center gap-1 text-13 ${isRisky ? "text-warn" : "text-ink-2"}`}>
          {isRisky && <Icon name="alert" />}
          {effectLabels[effect]}
        </span>
      </div>
      <p className="text-14 text-ink-2">{summary}</p>
    </div>
  );
}
