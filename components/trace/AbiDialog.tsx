"use client";
/** The dialog for pasting an ABI. It also lists the ABIs that were pasted earlier. */
import { useState } from "react";
import { Dialog } from "@/components/layout/Dialog";
import { storePastedAbis } from "@/components/trace/pastedAbis";
import type { PastedAbi } from "@/components/trace/pastedDecoder";
import { plural } from "@/lib/plural";

export function AbiDialog({ abis, onClose }: { abis: PastedAbi[]; onClose: () => void }) {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | undefined>(undefined);

  async function add() {
    try {
      const { parsePastedAbi } = await import("@/components/trace/pastedDecoder");
      const abi = parsePastedAbi(text);
      storePastedAbis([...abis, { name: name.trim() || `ABI ${abis.length + 1}`, abi }]);
      setName("");
      setText("");
      setFault(undefined);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <Dialog title={abis.length === 0 ? "Add an ABI" : "Saved ABIs"} onClose={onClose}>
      <form
        className="flex flex-col gap-3 px-4 py-4"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <p className="text-ink-2">
          Paste an ABI to decode matching calls, events and errors of any contract. Stored in this browser only.
        </p>
        <label className="flex flex-col gap-1">
          <span className="label">Name</span>
          <input
            className="search-field h-8 px-2"
            placeholder="Optional"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label className="flex flex-col gap-1">
          <span className="label">ABI as JSON, a compiler artifact, or Solidity signatures, one per line</span>
          <textarea
            className="search-field mono min-h-40 p-2"
            data-autofocus
            placeholder="function mint(address to, uint256 amount)"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-invalid={fault !== undefined}
            aria-describedby="abi-fault"
          />
        </label>
        <p id="abi-fault" role="alert" className="break-words text-13 text-neg">
          {fault}
        </p>
        <button type="submit" className="button button-primary self-start" disabled={text.trim() === ""}>
          Add
        </button>
      </form>
      {abis.length > 0 && (
        <ul className="border-line border-t">
          {abis.map((pasted, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and items are only ever removed
              key={index}
              className="flex items-center justify-between gap-4 border-line border-b px-4 py-2 last:border-b-0"
            >
              <span className="min-w-0 break-words">
                {pasted.name}{" "}
                <span className="text-ink-3">
                  {pasted.abi.length} {plural(pasted.abi.length, "entry", "entries")}
                </span>
              </span>
              <button
                type="button"
                className="button"
                aria-label={`Remove ${pasted.name}`}
                onClick={() => storePastedAbis(abis.filter((_, other) => other !== index))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
