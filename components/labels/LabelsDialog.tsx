"use client";
/** The visitor's labels. They can be exported and imported as JSON, in the format of the TOLLSCAN_LABELS file. */
import { type ChangeEvent, useRef, useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { importLabels, setLocalLabel, useLocalLabels } from "@/components/labels/localLabels";
import { Dialog } from "@/components/layout/Dialog";
import { toChecksumAddress } from "@/lib/address";
import { plural } from "@/lib/plural";

export function LabelsDialog({ onClose }: { onClose: () => void }) {
  const labels = useLocalLabels();
  const entries = Object.entries(labels).toSorted(([, one], [, other]) => one.localeCompare(other));
  const file = useRef<HTMLInputElement>(null);
  const [result, setResult] = useState<{ text: string; isFault?: true } | undefined>(undefined);

  async function onFile({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [given] = currentTarget.files ?? [];
    currentTarget.value = "";
    if (!given) return;
    try {
      const count = importLabels(await given.text());
      setResult({ text: `${count} ${plural(count, "label")} imported` });
    } catch (error) {
      setResult({ text: error instanceof Error ? error.message : String(error), isFault: true });
    }
  }

  function download() {
    const checksummed = Object.fromEntries(entries.map(([address, name]) => [toChecksumAddress(address), name]));
    const url = URL.createObjectURL(
      new Blob([`${JSON.stringify(checksummed, null, 2)}\n`], { type: "application/json" }),
    );
    const link = document.createElement("a");
    link.href = url;
    link.download = "labels.json";
    link.click();
    URL.revokeObjectURL(url);
  }

  return (
    <Dialog title="Labels" onClose={onClose}>
      <p className="border-line border-b px-4 py-3 text-13 text-ink-2">
        Your names for addresses. They stay in this browser. To share them with your team, export them and set{" "}
        <code className="mono">TOLLSCAN_LABELS</code> to the file’s path.
      </p>
      {entries.length === 0 ? (
        <p className="px-4 py-5 text-ink-2">No labels yet. Open an address and choose “Add a label”.</p>
      ) : (
        <ul className="max-h-96 overflow-y-auto px-4 py-2">
          {entries.map(([address, name]) => (
            <li key={address} className="flex flex-wrap items-center gap-x-4 border-line border-b py-1 last:border-b-0">
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <AddressLink unnamed address={address} onNavigate={onClose} />
              <button
                type="button"
                className="button"
                aria-label={`Remove ${name}`}
                onClick={() => setLocalLabel(address, "")}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3">
        <button type="button" className="button" data-autofocus onClick={() => file.current?.click()}>
          Import
        </button>
        <button type="button" className="button" disabled={entries.length === 0} onClick={download}>
          Export
        </button>
        <input
          ref={file}
          type="file"
          accept="application/json,.json"
          className="sr-only"
          tabIndex={-1}
          aria-label="Labels file"
          onChange={onFile}
        />
        <span role="status" className={`min-w-0 text-13 ${result?.isFault ? "text-neg" : "text-ink-2"}`}>
          {result?.text}
        </span>
      </div>
    </Dialog>
  );
}
