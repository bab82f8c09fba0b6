"use client";
/** The list of keyboard shortcuts, built from the data that also handles the keys. */
import { Dialog } from "@/components/layout/Dialog";
import { toKeyLabel } from "@/components/layout/keyLabels";
import { keyBindings, paletteKeys, tabKeys } from "@/components/layout/keys";

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog wide title="Keyboard shortcuts" onClose={onClose}>
      <dl className="gap-x-10 px-4 py-2 sm:columns-2">
        {[paletteKeys, ...keyBindings.map(({ keys }) => keys)].map((keys) => (
          <div
            key={toKeyLabel(keys)}
            className="flex break-inside-avoid items-center justify-between gap-4 border-line border-b py-1.5 text-13"
          >
            <dt>{toKeyLabel(keys)}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd key={key} className="key">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
        <div className="flex break-inside-avoid items-center justify-between gap-4 border-line border-b py-1.5 text-13">
          <dt>Go to a tab by its number</dt>
          <dd className="flex shrink-0 items-center gap-1">
            <kbd className="key">{tabKeys.first}</kbd> – <kbd className="key">{tabKeys.last}</kbd>
          </dd>
        </div>
      </dl>
    </Dialog>
  );
}
