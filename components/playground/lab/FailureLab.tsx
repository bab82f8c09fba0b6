/** The failure lab: a list of failure cases, each one click, with the outcome beside it. */
"use client";

import { useMemo, useRef, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { type PageNetwork, toCaip2 } from "@/lib/networks";
import { ExchangeView, useFlowSteps } from "../ExchangeView";
import { FlowCode } from "../FlowCode";
import { createFormatAmount } from "../flowValue";
import { Outcome } from "../Outcome";
import { PayerLine, useCanPay } from "../PayControl";
import { Stopped } from "../Stopped";
import { useExchange } from "../useExchange";
import { type LabCase, labCases } from "./labCases";
import { continueLabCase, type LabRun, runLabCase } from "./runLabCase";

export function FailureLab({ networks }: { networks: readonly [PageNetwork, ...PageNetwork[]] }) {
  return (
    <WalletProvider networks={networks}>
      <Lab networks={networks} />
    </WalletProvider>
  );
}

type Task = { labCase: LabCase; continued?: LabRun };

const usualSkewSeconds = 900;
const maxSkewSeconds = 1_800;

function Lab({ networks }: { networks: readonly PageNetwork[] }) {
  const { network } = useNetworkContext();
  const [skewSeconds, setSkewSeconds] = useState(usualSkewSeconds);
  const [run, setRun] = useState<LabRun | undefined>(undefined);
  // Prefers another chain of this node, because a burner only signs for them.
  const otherId = networks.find(({ chainId, embedded }) => embedded && chainId !== network.chainId)?.chainId;
  const setting = { skewSeconds, otherChain: toCaip2(otherId ?? network.chainId + 1) };
  const { connection, data, error, isOver, isPending, mutate, reset, phase, record, steps, variables } =
    useExchange<Task>(
      async (tools, { labCase, continued }) => {
        const finished = continued
          ? await continueLabCase(tools, labCase, continued)
          : await runLabCase(tools, labCase, setting);
        setRun(finished);
        return finished.outcome;
      },
      ({ continued }) => continued !== undefined,
      ({ labCase: { id } }) => id,
    );
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const flow = useFlowSteps(steps);
  const canPay = useCanPay(connection);
  const labCase = variables?.labCase ?? labCases.find(({ id }) => id === record.recorded?.lab);
  const isRefused = data?.refusal !== undefined;
  const results = useRef<HTMLDivElement>(null);
  /** Runs a task and scrolls to its outcome. In one column, the list is taller than the screen. */
  function start(task: Task): void {
    mutate(task);
    if (window.matchMedia("(max-width: 64rem)").matches) results.current?.scrollIntoView({ block: "start" });
  }
  const next = labCase && isRefused && run && findNext(labCase);

  return (
    <>
      <div className="play-pay">
        <Sheet id="cases" title="Failure cases">
          <ul>
            {labCases.map((candidate) => (
              <li key={candidate.id} className="lab-case">
                <button
                  type="button"
                  className="lab-run"
                  aria-disabled={isPending || !canPay}
                  aria-current={candidate === labCase ? "true" : undefined}
                  onClick={() => !isPending && canPay && start({ labCase: candidate })}
                >
                  <span className="font-medium">{candidate.title}</span>
                  <Icon name="right" className="text-ink-3" />
                  <span className="col-span-2 text-12 leading-4 text-ink-2">{candidate.text}</span>
                </button>
                {candidate.id === "not-yet-valid" && <Skew seconds={skewSeconds} onChange={setSkewSeconds} />}
              </li>
            ))}
          </ul>
        </Sheet>
        <PayerLine connection={connection} isPending={isPending} phase={phase} canPay={canPay} />
      </div>
      <div ref={results} className="play-exchange flex scroll-mt-4 flex-col gap-4">
        <div className="play-outcome">
          {error && <Stopped key={steps[0]?.atMs} error={error} formatAmount={formatAmount} onFunded={reset} />}
          {isOver && (
            <Outcome steps={flow} formatAmount={formatAmount}>
              {next && (
                <button
                  type="button"
                  className="button self-start"
                  aria-disabled={isPending}
                  onClick={() => !isPending && run && mutate({ labCase, continued: run })}
                >
                  {next}
                </button>
              )}
            </Outcome>
          )}
        </div>
        <ExchangeView
          steps={flow}
          isPending={isPending}
          lab={labCase?.id}
          record={record}
          empty={
            <Sheet title="Timeline" id="exchange">
              <Empty title="Choose a case to start">
                Each step appears here as it happens, including the one that fails.
              </Empty>
            </Sheet>
          }
        />
        {isOver && <FlowCode steps={flow} />}
      </div>
    </>
  );
}

function findNext({ plan }: LabCase): string | undefined {
  if (plan === "approve") return "Approve Permit2 and resend the payment";
  return plan === "repeat" ? "Resend the payment" : undefined;
}

function Skew({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  return (
    <label className="lab-skew">
      <span>The signer’s clock is {seconds} s ahead</span>
      <input
        type="range"
        min={0}
        max={maxSkewSeconds}
        step={60}
        value={seconds}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  );
}
