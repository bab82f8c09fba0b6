"use client";
/**
 * Where a visitor pastes an ABI so that pages read their contracts. It stays in this browser.
 */
import { useState } from "react";
import { loadedLater, Nothing } from "@/components/layout/loadedLater";
import { usePastedAbis } from "@/components/trace/pastedAbis";
import { t } from "@/lib/messages/translateCall";

const AbiDialog = loadedLater(() => import("./AbiDialog").then((module) => module.AbiDialog), Nothing);

export function PastedAbis() {
  const [isOpen, setOpen] = useState(false);
  const abis = usePastedAbis();
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {abis.length === 0 ? t("abi.add") : t("abi.count", { count: abis.length })}
      </button>
      {isOpen && <AbiDialog abis={abis} onClose={() => setOpen(false)} />}
    </>
  );
}
