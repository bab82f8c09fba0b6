"use client";
/** Opens the dialog for pasted ABIs, which are used to decode contracts on all pages. They stay in this browser. */
import { useState } from "react";
import { loadedLater, Nothing } from "@/components/layout/loadedLater";
import { usePastedAbis } from "@/components/trace/pastedAbis";
import { plural } from "@/lib/plural";

const AbiDialog = loadedLater(() => import("./AbiDialog").then((module) => module.AbiDialog), Nothing);

export function PastedAbis() {
  const [isOpen, setOpen] = useState(false);
  const abis = usePastedAbis();
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {abis.length === 0 ? "Add ABI" : `${abis.length} ${plural(abis.length, "ABI")}`}
      </button>
      {isOpen && <AbiDialog abis={abis} onClose={() => setOpen(false)} />}
    </>
  );
}
