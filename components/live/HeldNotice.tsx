"use client";
/**
 * Shows how many newer rows there are while a list is paused. A click adds these rows to the list. The space for this
 * notice is always reserved.
 */

export function HeldNotice({ waiting, onRelease }: { waiting: number; onRelease: () => void }) {
  return (
    <span className="min-h-6 text-13 has-[button]:mr-4">
      {waiting > 0 && (
        <button type="button" onClick={onRelease} className="font-medium text-accent underline underline-offset-3">
          Show {waiting} new
        </button>
      )}
    </span>
  );
}
