/** The exchange as code to copy: three client snippets and two server snippets. */
"use client";

import { useState } from "react";
import { Snippet } from "@/components/atoms/Snippet";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { type CodeName, codeNames, findCode } from "@/lib/payflow/flowCode";

const codeLabels = {
  curl: "curl",
  x402Fetch: "@x402/fetch",
  viem: "viem",
  withPayment: "Server: withPayment",
  x402Next: "Server: @x402/next",
};

export function FlowCode({ steps }: { steps: readonly FlowStep[] }) {
  const { network, origin } = useNetworkContext();
  const [chosen, setChosen] = useState<CodeName>("curl");
  const request = findStep(steps, "request");
  if (!request) return null;
  const requirement = findStep(steps, "choice")?.requirement;
  const token = network.tokens.find(({ address }) => address.toLowerCase() === requirement?.asset.toLowerCase());
  const facts = {
    origin,
    network: network.name,
    hasFaucet: network.embedded,
    decimals: token?.decimals ?? 6,
    request,
    requirement,
    paid: findStep(steps, "paidRequest"),
  };
  const available = codeNames.filter((name) => findCode(name, facts) !== undefined);
  const shown = available.includes(chosen) ? chosen : "curl";
  return (
    <Sheet id="code" title="Code">
      <div className="px-4 py-3">
        <span className="segmented flow-tabs">
          {available.map((name) => (
            <button key={name} type="button" aria-pressed={name === shown} onClick={() => setChosen(name)}>
              {codeLabels[name]}
            </button>
          ))}
        </span>
      </div>
      <Snippet isWhole code={findCode(shown, facts) ?? ""} what={codeLabels[shown]} />
    </Sheet>
  );
}
