"use client";
/** Saves the chain's state to a file, and loads state files saved by this tool or by anvil. */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { useRef, useState } from "react";
import { LossNotice } from "@/components/atoms/ConfirmedAction";
import { useNetwork } from "@/components/layout/NetworkContext";
import { ToolRow } from "@/components/tools/ToolRow";
import type { Tool } from "@/components/tools/useTool";
import { toShownText } from "@/lib/shownText";

export function StateTool({ tool }: { tool: Tool }) {
  const { name } = useNetwork();
  const [file, setFile] = useState<File | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const picker = useRef<HTMLInputElement>(null);

  async function save() {
    const dump = await tool.run("state", { method: "anvil_dumpState", params: [] });
    if (typeof dump !== "string") return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(
      new Blob([hexToBytes(dump.slice(2)) as Uint8Array<ArrayBuffer>], { type: "application/gzip" }),
    );
    link.download = `${name}-state.json.gz`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Clears the file input, so that the same file can be chosen again. */
  function close() {
    if (picker.current) picker.current.value = "";
    setFile(undefined);
    button.current?.focus();
  }

  async function load(chosen: File) {
    await tool.run("state", {
      method: "anvil_loadState",
      params: [`0x${bytesToHex(new Uint8Array(await chosen.arrayBuffer()))}`],
    });
  }

  return (
    <ToolRow
      id="state"
      title="Save and load state"
      about="Saves all accounts, code and storage to a file. Loading a state file (saved here or by anvil) overwrites any accounts that the file contains."
      tool={tool}
    >
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button" onClick={save}>
          Save state
        </button>
        <button ref={button} type="button" className="button" onClick={() => picker.current?.click()}>
          Load state…
        </button>
        <input
          ref={picker}
          type="file"
          accept=".json,.gz"
          className="sr-only"
          tabIndex={-1}
          aria-label="State file"
          onChange={(event) => setFile(event.target.files?.[0])}
        />
        {file && (
          <LossNotice
            loss={`Overwrites the balance, nonce, code and storage of every account in ${toShownText(file.name, 60)}. This can’t be undone.`}
            confirm="Overwrite these accounts"
            onConfirm={() => {
              close();
              void load(file);
            }}
            onCancel={close}
          />
        )}
      </div>
    </ToolRow>
  );
}
