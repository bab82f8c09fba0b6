"use client";
/** The list of keyboard shortcuts, built from the data that also handles the keys. */
import { Fragment } from "react";
import { Dialog } from "@/components/layout/Dialog";
import { toKeyLabel } from "@/components/layout/keyLabels";
import { type KeyAction, keyBindings, paletteKeys, tabKeys } from "@/components/layout/keys";

type Shortcut = { keys: readonly string[]; label: string; between?: string };

const ofPage: readonly KeyAction["kind"][] = ["rowBelow", "rowAbove", "previous", "next", "copy", "raw", "pause"];

const list = (isWanted: (kind: KeyAction["kind"]) => boolean): Shortcut[] =>
  keyBindings
    .filter(({ action: { kind } }) => isWanted(kind))
    .map(({ keys }) => ({ keys, label: toKeyLabel(keys), ...(keys.length > 1 && { between: "then" }) }));

const groups: { title: string; shortcuts: Shortcut[] }[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: paletteKeys, label: toKeyLabel(paletteKeys) },
      ...list((kind) => kind !== "go" && !ofPage.includes(kind)),
      { keys: ["Esc"], label: "Close a dialog, or leave the search" },
    ],
  },
  {
    title: "Lists and details",
    shortcuts: [
      { keys: [tabKeys.first, tabKeys.last], label: "Go to a tab by its number", between: "to" },
      ...list((kind) => ofPage.includes(kind)),
    ],
  },
  { title: "Pages", shortcuts: list((kind) => kind === "go") },
];

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog wide title="Keyboard shortcuts" onClose={onClose}>
      <div className="fading-list">
        <div className="gap-x-10 px-4 pt-2 sm:columns-2">
          {groups.map(({ title, shortcuts }) => (
            <section key={title} className="break-inside-avoid">
              <h3 className="label pt-3 pb-1">{title}</h3>
              <dl aria-label={title}>
                {shortcuts.map(({ keys, label, between }) => (
                  <div
                    key={label}
                    className="flex items-center justify-between gap-4 border-line border-b py-1.5 text-13"
                  >
                    <dt>{label}</dt>
                    <dd className="flex shrink-0 items-center gap-1">
                      {keys.map((key, at) => (
                        <Fragment key={key}>
                          {at > 0 && between && <span className="text-12 text-ink-3">{between}</span>}
                          <kbd className="key">{key}</kbd>
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
