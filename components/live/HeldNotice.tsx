"use client";
/**
 * Shows how many newer rows are waiting while a list is held, and shows them on click. Its space is always reserved.
 */

export function HeldNotice({ waiting, onRelease }: { waiting: number; onRelease: () => void }) {
  return (
    <span className="min-h-6 text-13">
      {waiting > 0 && (
        <button type="button" onClick={onRelease} className="font-medium text-accent underline underline-offset-3">
          Show {waiting} new
        </button>
      )}
    </span>
  );
}
