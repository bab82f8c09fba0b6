/** The exchange as code to copy: three client snippets and two server snippets. */
"use client";

import { useState } from "react";
import { Snippet } from "@/components/atoms/Snippet";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { type CodeName, codeNames, findCode } from "@/lib/payflow/flowCode";

const sides: { side: string; labels: Partial<Record<CodeName, string>> }[] = [
  { side: "Client", labels: { curl: "curl", x402Fetch: "@x402/fetch", viem: "viem" } },
  { side: "Server", labels: { withPayment: "withPayment", x402Next: "@x402/next" } },
];

/** Shortens the signed payment, which is one long line. A note says that the copy button copies all of it. */
function toShown(code: string): string {
  return code.replace(/(PAYMENT-SIGNATURE: .{24})[^']{24,}/, "$1…");
}

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
  const code = findCode(shown, facts) ?? "";
  const short = toShown(code);
  return (
    <Sheet id="code" title="Code">
      <div className="flex flex-wrap gap-x-6 gap-y-2 px-4 py-3">
        {sides.map(({ side, labels }) => {
          const names = available.filter((name) => labels[name] !== undefined);
          return (
            names.length > 0 && (
              <span key={side} className="flex items-center gap-2">
                <span className="label w-11">{side}</span>
                <span className="segmented">
                  {names.map((name) => (
                    <button
                      key={name}
                      type="button"
                      aria-label={side === "Server" ? `Server: ${labels[name]}` : undefined}
                      aria-pressed={name === shown}
                      onClick={() => setChosen(name)}
                    >
                      {labels[name]}
                    </button>
                  ))}
                </span>
              </span>
            )
          );
        })}
      </div>
      <Snippet isWhole code={code} shown={short} what="code" />
      {short !== code && (
        <p className="border-line border-t px-4 py-2 text-12 text-ink-2">
          The signature is shortened here. The copy button copies all of it.
        </p>
      )}
    </Sheet>
  );
}
