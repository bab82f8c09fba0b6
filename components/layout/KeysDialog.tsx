"use client";
/** The list of keyboard shortcuts, built from the same data that handles the keys. */
import { Dialog } from "@/components/layout/Dialog";
import { keyBindings, paletteKeys, tabKeys } from "@/components/layout/keys";

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="px-4 py-2">
        {[paletteKeys, ...keyBindings].map(({ keys, label }) => (
          <div
            key={label}
            className="flex items-center justify-between gap-6 border-line border-b py-2 last:border-b-0"
          >
            <dt>{label}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="key">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
        <div className="flex items-center justify-between gap-6 border-line border-t py-2">
          <dt>{tabKeys.label}</dt>
          <dd className="flex items-center gap-1">
            <kbd className="key">{tabKeys.first}</kbd> – <kbd className="key">{tabKeys.last}</kbd>
          </dd>
        </div>
      </dl>
    </Dialog>
  );
}
