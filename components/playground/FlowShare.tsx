/** Shares a flow as a link to its record, or as a file. Signatures are removed unless the user includes them. */
"use client";

import { useId, useState } from "react";
import { announce } from "@/components/layout/announcer";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toFlowPath } from "@/lib/links";
import { maxExchanges } from "@/lib/payflow/exchanges";
import { isRedacted, toFlowJson, withoutSignatures } from "@/lib/payflow/exportFlow";
import { type Flow, findStep } from "@/lib/payflow/flow";
import { formatInteger } from "@/lib/units";
import type { FlowRecord } from "./useFlowRecord";

/** Tells visitors how long a link to a flow works. */
export const retentionText = `The node keeps the ${formatInteger(maxExchanges)} most recent payment flows, with signatures removed.`;

export function FlowShare({ flow, record }: { flow: Flow; record: Pick<FlowRecord, "id" | "failure"> }) {
  const { origin } = useNetworkContext();
  const checkbox = useId();
  const [isWhole, setIsWhole] = useState(false);
  const [message, setMessage] = useState("");
  const { id, failure } = record;

  function say(text: string): void {
    setMessage(text);
    announce(text);
  }

  async function copyLink(path: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(origin + path);
      say("Link copied.");
    } catch {
      // If clipboard access is denied, opens the link, so that the visitor can copy it from the address bar.
      window.location.assign(path);
    }
  }

  function download(): void {
    const url = URL.createObjectURL(
      new Blob([toFlowJson(isWhole ? flow : withoutSignatures(flow))], { type: "application/json" }),
    );
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = "payment-flow.json";
    anchor.click();
    URL.revokeObjectURL(url);
    say("Flow downloaded.");
  }

  return (
    <div className="flow-share flex flex-col gap-2 border-line border-t px-4 py-2 text-13">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button
          type="button"
          className="button"
          aria-disabled={id === undefined}
          onClick={() => id !== undefined && void copyLink(toFlowPath(flow.network, id))}
        >
          Copy link
        </button>
        <button type="button" className="button" onClick={download}>
          Download timeline
        </button>
        {findStep(flow.steps, "signature") && !isRedacted(flow.steps) && (
          <label htmlFor={checkbox} className="inline-flex items-center gap-2 text-ink-2">
            <input
              id={checkbox}
              type="checkbox"
              checked={isWhole}
              onChange={(event) => setIsWhole(event.target.checked)}
            />
            Include signatures in the file
          </label>
        )}
        <span className="text-ink-2">{message}</span>
      </div>
      <p className="text-12 text-ink-2">
        {failure === undefined
          ? retentionText
          : `Couldn’t create a link: ${failure} You can download the flow instead.`}
      </p>
    </div>
  );
}
