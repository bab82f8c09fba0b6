/**
 * What became of a transaction or a payment, as a mark and a word: never by colour alone.
 */
import { Icon, type IconName } from "@/components/chain/Icon";
import { type PlainKey, t } from "@/lib/messages/translate";

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

const looks: Record<StatusName, { icon: IconName; colour: string; word: PlainKey }> = {
  success: { icon: "check", colour: "text-pos", word: "status.success" },
  failed: { icon: "cross", colour: "text-neg", word: "status.failed" },
  pending: { icon: "clock", colour: "text-warn", word: "status.pending" },
  queued: { icon: "clock", colour: "text-warn", word: "status.queued" },
  dropped: { icon: "cross", colour: "text-neg", word: "status.dropped" },
  replaced: { icon: "minus", colour: "text-ink-2", word: "status.replaced" },
  expired: { icon: "minus", colour: "text-ink-2", word: "status.expired" },
  unknown: { icon: "minus", colour: "text-ink-2", word: "status.unknown" },
  verified: { icon: "clock", colour: "text-warn", word: "status.verified" },
  settling: { icon: "clock", colour: "text-warn", word: "status.settling" },
  settled: { icon: "check", colour: "text-pos", word: "status.settled" },
  refunded: { icon: "minus", colour: "text-ink-2", word: "status.refunded" },
};

/** A word from the wire as a status we can show. */
export function toStatusName(word: string): StatusName {
  return word in looks ? (word as StatusName) : "unknown";
}

export function Status({ name, iconOnly = false }: { name: StatusName; iconOnly?: boolean }) {
  const { icon, colour, word } = looks[name];
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap align-middle ${colour}`}
      title={iconOnly ? t(word) : undefined}
    >
      <Icon name={icon} />
      <span className={iconOnly ? "sr-only" : "font-medium"}>{t(word)}</span>
    </span>
  );
}
