/**
 * The failure lab: cases grouped by what they break. Visitors run them one by one or as a group, and see the outcome
 * below the case.
 */
"use client";

import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { type PageNetwork, toCaip2 } from "@/lib/networks";
import { findReason } from "@/lib/x402/reason";
import { ExchangeView, useFlowSteps } from "../ExchangeView";
import { FlowCode } from "../FlowCode";
import { createFormatAmount } from "../flowValue";
import { Outcome } from "../Outcome";
import { PayerLine, useCanPay } from "../PayControl";
import { Stopped } from "../Stopped";
import { showBottom, showInView } from "../showInView";
import { useExchange } from "../useExchange";
import { CaseGroup, type CaseResult } from "./CaseGroup";
import { type LabCase, labCases, labGroups } from "./labCases";
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

/** Whether the visitor left the page. */
function useIsLeft() {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return isLeft;
}

/** Holds the case that the visitor started, until it is in view. A recorded case is shown as well. */
function useStarted(current: LabCase | undefined, isRecorded: boolean, shown: RefObject<Element | null>) {
  const started = useRef<LabCase>(undefined);
  useEffect(() => {
    if (isRecorded) showInView(shown.current?.closest(".lab-case"));
  }, [isRecorded, shown]);
  useEffect(() => {
    if (!started.current || started.current !== current) return;
    started.current = undefined;
    showInView(shown.current?.closest(".lab-case"));
  });
  return started;
}

/** When a case ends, brings the failed check into view if there is room for it below the case's title. */
function useFailedCheckInView(shown: RefObject<Element | null>, isOver: boolean, outcome: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: every outcome has its own failed check
  useEffect(() => {
    // As in lab.css.
    if (!isOver || !matchMedia("(min-width: 64rem)").matches) return;
    const check = shown.current?.querySelector(".check-table [data-failed]");
    showBottom(check, shown.current?.closest(".lab-case"));
  }, [shown, isOver, outcome]);
}

function Lab({ networks }: { networks: readonly PageNetwork[] }) {
  const { network } = useNetworkContext();
  const [skewSeconds, setSkewSeconds] = useState(usualSkewSeconds);
  const [run, setRun] = useState<LabRun | undefined>(undefined);
  const [results, setResults] = useState<ReadonlyMap<string, CaseResult>>(new Map());
  /** The name of the group that is running, or "all". */
  const [running, setRunning] = useState<string | undefined>(undefined);
  const [hasFixes, setHasFixes] = useState(false);
  // Prefers another chain of this node, because a burner only signs for this node's chains.
  const otherId = networks.find(({ chainId, embedded }) => embedded && chainId !== network.chainId)?.chainId;
  const setting = { skewSeconds, otherChain: toCaip2(otherId ?? network.chainId + 1) };
  const exchange = useExchange<Task>(
    async (tools, { labCase, continued }) => {
      const finished = continued
        ? await continueLabCase(tools, labCase, continued)
        : await runLabCase(tools, labCase, setting);
      setRun(finished);
      const reason = findReason(finished.outcome.refusal ?? "")?.reason ?? finished.outcome.refusal;
      note(labCase, { reason, isFixed: continued !== undefined });
      return finished.outcome;
    },
    ({ continued }) => continued !== undefined,
    ({ labCase: { id } }) => id,
  );
  const { connection, data, error, isOver, isPending, mutate, mutateAsync, phase, record, steps, variables } = exchange;
  const canPay = useCanPay(connection);
  const labCase = variables?.labCase ?? labCases.find(({ id }) => id === record.recorded?.lab);
  const isRefused = data?.refusal !== undefined;
  const isBusy = isPending || running !== undefined;
  const isLeft = useIsLeft();
  const shown = useRef<HTMLDivElement>(null);

  function note({ id }: LabCase, result: CaseResult): void {
    setResults((before) => new Map(before).set(id, result));
  }

  const started = useStarted(labCase, variables === undefined && labCase !== undefined, shown);

  function start(labCase: LabCase): void {
    started.current = labCase;
    mutate({ labCase });
  }

  /** Runs the cases one after another. Stops if the visitor leaves the page. */
  async function startAll(name: string, cases: readonly LabCase[]): Promise<void> {
    setRunning(name);
    for (const labCase of cases) {
      if (isLeft.current) return;
      await mutateAsync({ labCase }).catch(() => note(labCase, { reason: "not sent" }));
    }
    setRunning(undefined);
  }
  useFailedCheckInView(shown, isOver, data ?? record.recorded);
  const next = labCase && isRefused && run && findNext(labCase);
  const outcome = (
    <div ref={shown} className="lab-exchange">
      <CaseOutcome exchange={exchange} labCase={labCase} isReasonKnown={labCase && results.has(labCase.id)}>
        {next && (
          <NextStep isBusy={isBusy} onClick={() => mutate({ labCase, continued: run })}>
            {next}
          </NextStep>
        )}
      </CaseOutcome>
    </div>
  );

  return (
    <div className="play-pay">
      <div className="flex flex-wrap items-center gap-2">
        {/* On phones, its longest text has two lines. */}
        <div className="min-w-0 flex-1 text-pretty max-sm:order-1 max-sm:basis-full max-sm:[&>p]:min-h-[2lh]">
          <PayerLine connection={connection} isPending={isPending} phase={phase} canPay={canPay} />
        </div>
        <button type="button" className="button" aria-pressed={hasFixes} onClick={() => setHasFixes(!hasFixes)}>
          {hasFixes ? "Hide fixes" : "Show fixes"}
        </button>
        <button
          type="button"
          className="button button-primary max-sm:-order-1"
          aria-disabled={isBusy || !canPay}
          onClick={() => !isBusy && canPay && void startAll("all", labCases)}
        >
          {running === "all" ? "Running" : `Run all ${labCases.length}`}
        </button>
      </div>
      {labGroups.map((group) => (
        <CaseGroup
          key={group.name}
          group={group}
          results={results}
          current={labCase}
          isBusy={isBusy || !canPay}
          isRunning={running === group.name}
          onStart={start}
          onStartAll={(cases) => void startAll(group.name, cases)}
          skew={{ seconds: skewSeconds, onChange: setSkewSeconds }}
          // A case's result has its fix. If there is no result, the fix is all that the visitor gets.
          isFixShown={(each) => (each === labCase && running === undefined ? error !== null : hasFixes)}
          // While several cases run, they stay in place.
          outcome={running === undefined && outcome}
        />
      ))}
      {!labCase && steps.length > 0 && outcome}
    </div>
  );
}

/** What happened in the current case: the result, the timeline and the code. */
function CaseOutcome({
  exchange: { isOver, isPending, record, steps, stopped },
  labCase,
  isReasonKnown,
  children,
}: {
  exchange: ReturnType<typeof useExchange<Task>>;
  labCase: LabCase | undefined;
  isReasonKnown: boolean | undefined;
  /** Follow-up actions. */
  children: ReactNode;
}) {
  const { network } = useNetworkContext();
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const flow = useFlowSteps(steps);
  return (
    <>
      <div className="play-outcome">
        {isPending && <p className="notice text-13 text-ink-2">Waiting for the response…</p>}
        {stopped && (
          <Stopped
            key={steps[0]?.atMs}
            {...stopped}
            formatAmount={formatAmount}
            burnerLabel="Switch to a burner account and run"
          />
        )}
        {isOver && (
          <Outcome
            steps={flow}
            formatAmount={formatAmount}
            expectedReason={labCase?.reason}
            isReasonKnown={isReasonKnown}
          >
            {children}
          </Outcome>
        )}
      </div>
      <ExchangeView {...{ isPending, record, formatAmount }} steps={flow} lab={labCase?.id} empty={null} />
      {isOver && <FlowCode steps={flow} />}
    </>
  );
}

function NextStep({ isBusy, onClick, children }: { isBusy: boolean; onClick: () => void; children: string }) {
  return (
    <button type="button" className="button self-start" aria-disabled={isBusy} onClick={() => !isBusy && onClick()}>
      {children}
    </button>
  );
}

function findNext({ plan }: LabCase): string | undefined {
  if (plan === "approve") return "Approve Permit2 and resend the payment";
  return plan === "repeat" ? "Resend the payment" : undefined;
}
