/** Shares a flow as a link that contains all of it, or as a file. Signatures are removed unless the user includes them. */
"use client";

import { useId, useState } from "react";
import { announce } from "@/components/layout/announcer";
import { toPlaygroundPath } from "@/lib/links";
import { maxLinkLength, toFlowJson, toLinkText, withoutSignatures } from "@/lib/payflow/exportFlow";
import type { Flow } from "@/lib/payflow/flow";

export function FlowShare({ flow }: { flow: Flow }) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const [message, setMessage] = useState("");
  const shared = () => (isWhole ? flow : withoutSignatures(flow));

  function say(text: string): void {
    setMessage(text);
    announce(text);
  }

  async function copyLink(): Promise<void> {
    const text = await toLinkText(shared());
    if (text.length > maxLinkLength) {
      say("The flow is too long for a link. Download it as JSON instead.");
      return;
    }
    const link = `${window.location.origin}${toPlaygroundPath(flow.network, "flow")}#${text}`;
    try {
      await navigator.clipboard.writeText(link);
      say("Link copied. It contains the whole flow.");
    } catch {
      // If clipboard access is denied, opens the link, so that it can be copied from the address bar.
      window.location.assign(link);
    }
  }

  function download(): void {
    const url = URL.createObjectURL(new Blob([toFlowJson(shared())], { type: "application/json" }));
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = "payment-flow.json";
    anchor.click();
    URL.revokeObjectURL(url);
    say("Flow downloaded.");
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-2 text-13">
      <button type="button" className="button" onClick={() => void copyLink()}>
        Copy link
      </button>
      <button type="button" className="button" onClick={download}>
        Download JSON
      </button>
      <label htmlFor={id} className="inline-flex items-center gap-2 text-ink-2">
        <input id={id} type="checkbox" checked={isWhole} onChange={(event) => setIsWhole(event.target.checked)} />
        Include signatures
      </label>
      <span className="text-ink-2">{message}</span>
    </div>
  );
}
