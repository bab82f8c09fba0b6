/**
 * What a method is, in one line, and what running it does.
 */
import { Icon } from "@/components/chain/Icon";
import { t } from "@/lib/messages/translateConsole";
import type { MethodDescription } from "@/lib/rpc/schema/description";

export function MethodHead({ method: { name, summary, effect } }: { method: MethodDescription }) {
  const isRisky = effect === "sends" || effect === "controls";
  return (
    <div className="method-head">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="mono" id="method">
          {name}
        </h2>
        <span className={`status text-13 ${isRisky ? "text-warn" : "text-ink-2"}`}>
          {isRisky && <Icon name="alert" />}
          {t(`console.effect.${effect}`)}
        </span>
      </div>
      <p className="text-14 text-ink-2">{summary}</p>
    </div>
  );
}
