"use client";
/** The head and the cells of a list's column with ages, which the visitor can switch to times. */
import { Age, useNow } from "@/components/atoms/Age";
import { setTimeForm, useTimeForm } from "@/components/lists/timeForm";
import { formatDate, formatIso, formatListTime } from "@/lib/formatTime";

export function AgeHead() {
  const isTime = useTimeForm() === "time";
  const word = isTime ? "Time, UTC" : "Age";
  return (
    <>
      <button
        type="button"
        className="min-h-6 text-accent max-md:hidden"
        title={isTime ? "Show ages" : "Show times"}
        onClick={() => setTimeForm(isTime ? "age" : "time")}
      >
        {word}
      </button>
      {/* Phones show no heads, so a button there would take the focus unseen. */}
      <span className="md:hidden">{word}</span>
    </>
  );
}

type Props = { timestamp: number; className?: string };

export function ListedAge({ timestamp, className = "text-ink-2" }: Props) {
  const Shown = useTimeForm() === "time" ? Time : Age;
  return <Shown timestamp={timestamp} className={className} />;
}

function Time({ timestamp, className = "" }: Props) {
  const now = useNow();
  return (
    <time
      dateTime={formatIso(timestamp)}
      title={formatDate(timestamp)}
      className={`whitespace-nowrap text-13 ${className}`}
    >
      {formatListTime(timestamp, now)}
    </time>
  );
}
