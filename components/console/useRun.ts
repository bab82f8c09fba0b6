/**
 * Runs the console's request and stores the outcomes. The request is sent to the chosen endpoint and, if one is set, to
 * a second one for comparison. Starting a new run or leaving the page ends the previous run.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { callRequest, type Outcome, type RpcCall, type Target } from "@/components/console/callRequest";
import { remember } from "@/components/console/consoleStore";
import { openSocketCall, socketClosedText } from "@/components/console/socketRequest";
import { announce } from "@/components/layout/announcer";
import type { Network } from "@/lib/networks";

export type RunState = {
  running: boolean;
  calls: readonly RpcCall[];
  outcomes: readonly Outcome[];
  /** A subscription's events, newest first. Undefined if there is no subscription. */
  events: readonly unknown[] | undefined;
  /** Whether more events may arrive. */
  following: boolean;
};

export type RunPlan = {
  calls: readonly RpcCall[];
  targets: readonly Target[];
  /** A call to send before the others. Its result becomes the first call's first param. */
  prepare?: RpcCall;
  /** If set, the calls are sent over this network's WebSocket. */
  socket?: Network;
};

const maxEvents = 50;
const idle: RunState = { running: false, calls: [], outcomes: [], events: undefined, following: false };

export function useRun() {
  const [state, setState] = useState(idle);
  const stop = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const run = useCallback(async (plan: RunPlan): Promise<readonly RpcCall[] | undefined> => {
    stop.current?.();
    const abort = new AbortController();
    const end = () => abort.abort();
    stop.current = end;
    setState({ ...idle, running: true, calls: plan.calls });
    /** Changes the state, unless a newer run has started. */
    const change = (toNext: (before: RunState) => RunState) => {
      if (stop.current === end) setState(toNext);
    };
    abort.signal.addEventListener("abort", () => change((before) => ({ ...before, following: false })));
    // An event may arrive before the response that has its subscription ID.
    const addEvent = (event: unknown) =>
      change((before) => ({ ...before, events: [event, ...(before.events ?? [])].slice(0, maxEvents) }));
    const { calls, outcomes, events } = plan.socket
      ? await runOverSocket(plan, plan.socket, abort, addEvent)
      : await runOverHttp(plan, abort.signal);
    if (stop.current !== end) return undefined;
    change((before) => ({
      running: false,
      calls,
      outcomes,
      events: events ? (before.events ?? []) : undefined,
      following: events,
    }));
    report(calls, outcomes);
    return calls;
  }, []);

  const cancel = useCallback(() => {
    stop.current?.();
    setState((before) => ({ ...before, running: false }));
  }, []);
  return { ...state, run, cancel };
}

type Ran = { calls: readonly RpcCall[]; outcomes: Outcome[]; events: boolean };

async function runOverHttp({ calls, targets, prepare }: RunPlan, signal: AbortSignal): Promise<Ran> {
  const [first] = targets;
  if (!first) return { calls, outcomes: [], events: false };
  let sent = calls;
  if (prepare) {
    const prepared = await callRequest(first, [prepare], signal);
    const result = prepared.kind === "answer" ? prepared.answers[0]?.result : undefined;
    if (result === undefined) return { calls: [prepare], outcomes: [prepared], events: false };
    sent = withFirstParam(calls, result);
  }
  const outcomes = await Promise.all(targets.map((target) => callRequest(target, sent, signal)));
  return { calls: sent, outcomes, events: false };
}

async function runOverSocket(
  { calls, prepare }: RunPlan,
  network: Network,
  abort: AbortController,
  onEvent: (event: unknown) => void,
): Promise<Ran> {
  const startedMs = performance.now();
  const target = { kind: "network", network } as const;
  const [call] = calls;
  if (!call) return { calls, outcomes: [], events: false };
  let sent = calls;
  const steps = [
    ...(prepare ? [() => prepare] : []),
    ([before]: { result?: unknown }[]) => {
      if (prepare) sent = withFirstParam(calls, before?.result);
      return sent[0] ?? call;
    },
  ];
  const socket = openSocketCall(network, steps, onEvent, () => abort.abort());
  abort.signal.addEventListener("abort", socket.close);
  try {
    const { answers, texts } = await socket.answers;
    const text = texts.at(-1) ?? "";
    const answer = answers.at(-1) ?? {};
    const follows = call.method === "eth_subscribe" && answer.error === undefined;
    if (!follows) socket.close();
    const figures = { ms: performance.now() - startedMs, text, bytes: new TextEncoder().encode(text).length };
    return { calls: sent, outcomes: [{ target, ...figures, kind: "answer", answers: [answer] }], events: follows };
  } catch {
    const figures = { ms: performance.now() - startedMs, text: "", bytes: 0 };
    return {
      calls: sent,
      outcomes: [{ target, ...figures, kind: "failure", sentence: socketClosedText }],
      events: false,
    };
  }
}

function withFirstParam(calls: readonly RpcCall[], result: unknown): RpcCall[] {
  return calls.map((call, index) => (index === 0 ? { ...call, params: [result, ...call.params.slice(1)] } : call));
}

/** Adds the request to the history and announces the outcome to screen readers. */
function report(calls: readonly RpcCall[], outcomes: readonly Outcome[]): void {
  const [outcome] = outcomes;
  const [call] = calls;
  if (!outcome || !call) return;
  const ok = outcome.kind === "answer" && outcome.answers.every(({ error }) => error === undefined);
  announce(ok ? `${call.method} succeeded` : `${call.method} failed`);
  if (calls.length > 1 || outcome.target.kind !== "network") return;
  const { ms, bytes } = outcome;
  remember({ ...call, network: outcome.target.network.name, atMs: Date.now(), ms, bytes, ok });
}
