/** The status of a transaction or payment. It always has a word, so that color isn't the only cue. */
import { Icon, type IconName } from "@/components/atoms/Icon";

export type StatusName =
  | "success"
  | "failed"
  | "pending"
  | "queued"
  | "dropped"
  | "replaced"
  | "expired"
  | "unknown"
  | "verified"
  | "settling"
  | "settled"
  | "refunded";

const looks: Record<StatusName, { icon: IconName; color: string; word: string }> = {
  success: { icon: "check", color: "text-pos", word: "Success" },
  failed: { icon: "cross", color: "text-neg", word: "Failed" },
  pending: { icon: "clock", color: "text-warn", word: "Pending" },
  queued: { icon: "clock", color: "text-warn", word: "Queued" },
  dropped: { icon: "cross", color: "text-neg", word: "Dropped" },
  replaced: { icon: "minus", color: "text-ink-2", word: "Replaced" },
  expired: { icon: "minus", color: "text-ink-2", word: "Expired" },
  unknown: { icon: "minus", color: "text-ink-2", word: "Unknown" },
  verified: { icon: "clock", color: "text-warn", word: "Verified" },
  settling: { icon: "clock", color: "text-warn", word: "Settling" },
  settled: { icon: "check", color: "text-pos", word: "Settled" },
  refunded: { icon: "minus", color: "text-ink-2", word: "Refunded" },
};

/** Converts a status from a response to one that this component displays. */
export function toStatusName(word: string): StatusName {
  return word in looks ? (word as StatusName) : "unknown";
}

export function Status({ name, iconOnly = false }: { name: StatusName; iconOnly?: boolean }) {
  const { icon, color, word } = looks[name];
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap align-bottom ${color}`}
      title={iconOnly ? word : undefined}
    >
      <Icon name={icon} />
      <span className={iconOnly ? "sr-only" : "font-medium"}>{word}</span>
    </span>
  );
}
