/** The exchange as code to copy: three client snippets and two server snippets. */
"use client";

import { useState } from "react";
import { Capped } from "@/components/atoms/Capped";
import { Choices } from "@/components/atoms/Choices";
import { ScriptText } from "@/components/atoms/ScriptText";
import { Snippet } from "@/components/atoms/Snippet";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { isRedacted } from "@/lib/payflow/exportFlow";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { type CodeName, codeNames, findCode } from "@/lib/payflow/flowCode";
import { findOutcome } from "@/lib/payflow/flowOutcome";
import { plural } from "@/lib/plural";
import { findReason } from "@/lib/x402/reason";

const labels: Record<CodeName, string> = {
  curl: "curl",
  x402Fetch: "@x402/fetch",
  viem: "viem",
  withPayment: "withPayment",
  x402Next: "@x402/next",
};
const sides = ["client", "server"] as const;
const sideLabels = { client: "Client", server: "Server" };

function toSide(name: CodeName): (typeof sides)[number] {
  return name === "withPayment" || name === "x402Next" ? "server" : "client";
}

/** Phones cap longer code. */
const mostWholeLines = 12;

/** Shortens the signed payment, which is one long line. A note says that the copy button copies all of it. */
function toShown(code: string): string {
  return code.replace(/(PAYMENT-SIGNATURE: .{24})[^']{24,}/, "$1…");
}

/** A settlement that isn't confirmed yet may still succeed. */
function isRejected(steps: readonly FlowStep[]): boolean {
  const { refusal } = findOutcome(steps);
  return refusal !== undefined && findReason(refusal)?.reason !== "settlement_pending";
}

/** With `folds`, long code is capped on all screens, because the page is about something else. */
export function FlowCode({ steps, folds = false }: { steps: readonly FlowStep[]; folds?: boolean }) {
  const { network, origin } = useNetworkContext();
  const [chosen, setChosen] = useState<CodeName>(
    // A recording has no signature that curl could send.
    isRedacted(steps) ? "x402Fetch" : "curl",
  );
  const request = findStep(steps, "request");
  if (!request) return null;
  // A server's recording has no choice, only the payment.
  const requirement = findStep(steps, "choice")?.requirement ?? findStep(steps, "signature")?.payload.accepted;
  const token = network.tokens.find(({ address }) => address.toLowerCase() === requirement?.asset.toLowerCase());
  const facts = {
    origin,
    network: network.name,
    hasFaucet: network.embedded,
    decimals: token?.decimals ?? 6,
    request,
    requirement,
    paid: findStep(steps, "paidRequest"),
    isRedacted: isRedacted(steps),
    isRejected: isRejected(steps),
  };
  const available = codeNames.filter((name) => findCode(name, facts) !== undefined);
  const shown = available.includes(chosen) ? chosen : "curl";
  const code = findCode(shown, facts) ?? "";
  const short = toShown(code);
  const lines = short.split("\n").length;
  const side = toSide(shown);
  const namesOf = (wanted: typeof side) => available.filter((name) => toSide(name) === wanted);
  return (
    <Sheet id="code" title="Code">
      <div className="flex flex-wrap gap-x-4 gap-y-2 px-4 py-3">
        {namesOf("server").length > 0 && (
          <Choices
            names={sides}
            labels={sideLabels}
            chosen={side}
            onChoose={(next) => next !== side && setChosen(namesOf(next)[0] ?? shown)}
          />
        )}
        <Choices names={namesOf(side)} labels={labels} chosen={shown} onChoose={setChosen} />
      </div>
      <Capped
        isLong={lines > mostWholeLines}
        all={`${lines} ${plural(lines, "line")}`}
        height={folds ? "max-h-72" : "phone"}
      >
        <Snippet isWhole code={code} shown={short} what="code" {...(shown !== "curl" && { Text: ScriptText })} />
      </Capped>
      {short !== code && (
        <p className="border-line border-t px-4 py-2 text-12 text-ink-2">
          The signature is shortened here. The copy button copies all of it.
        </p>
      )}
    </Sheet>
  );
}
