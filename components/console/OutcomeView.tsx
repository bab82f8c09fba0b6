"use client";
/** The outcome of a request: its status, time and size, and the response as a tree or raw text. */
import { useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Choices } from "@/components/atoms/Choices";
import { CopyButton } from "@/components/atoms/CopyButton";
import { Icon } from "@/components/atoms/Icon";
import type { Outcome, RpcAnswer, RpcCall } from "@/components/console/callRequest";
import { JsonTree } from "@/components/console/JsonTree";
import { formatBytes } from "@/lib/units";

/** The number of characters of raw text shown. The copy button copies the whole text. */
const rawLength = 200_000;

export const outcomeHeadClass = "flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-13";
const errorClass = "wrap-anywhere border-neg border-l-2 px-3 py-2";

export function toTargetName({ target }: Pick<Outcome, "target">): string {
  return target.kind === "network" ? target.network.label : new URL(target.url).host;
}

/**
 * `resultType` is the type of the method's result. It determines how a result that is a single value is interpreted.
 */
export function OutcomeView({
  outcome,
  calls,
  resultType,
}: {
  outcome: Outcome;
  calls: readonly RpcCall[];
  resultType?: string;
}) {
  const [view, setView] = useState<"Tree" | "Raw">("Tree");
  const failed = outcome.kind === "failure" || outcome.answers.some(({ error }) => error !== undefined);
  return (
    <div data-testid="outcome" className="border-line border-t">
      <div className={outcomeHeadClass}>
        <span className={`inline-flex items-center gap-1 ${failed ? "text-neg" : "text-pos"}`}>
          <Icon name={failed ? "cross" : "check"} />
          {failed ? "Failed" : "Success"}
        </span>
        <span>{toTargetName(outcome)}</span>
        <span className="text-ink-2">
          {Math.max(1, Math.round(outcome.ms))} ms, {formatBytes(outcome.bytes)}
        </span>
        <span className="ml-auto flex items-center gap-2">
          <Choices names={["Tree", "Raw"]} chosen={view} onChoose={setView} />
          <CopyButton
            label="Copy response"
            done="Response copied"
            value={outcome.text}
            what="response"
            className="sm:h-7"
          />
        </span>
      </div>
      {outcome.kind === "failure" ? (
        <p className={`${errorClass} mx-4 mb-3`} role="alert">
          {outcome.sentence}
        </p>
      ) : view === "Raw" ? (
        <Bytes className="max-h-128 px-4 py-2.5">
          {outcome.text.slice(0, rawLength)}
          {outcome.text.length > rawLength && `\nShowing the first ${rawLength} characters; Copy includes all of them.`}
        </Bytes>
      ) : (
        outcome.answers.map((answer, index) => (
          <AnswerView
            // biome-ignore lint/suspicious/noArrayIndexKey: responses are in the order of their calls
            key={index}
            answer={answer}
            call={outcome.answers.length > 1 ? calls[index] : undefined}
            method={calls[index]?.method ?? ""}
            outcome={outcome}
            resultType={resultType}
          />
        ))
      )}
    </div>
  );
}

function AnswerView({
  answer: { error, result },
  call,
  method,
  outcome,
  resultType,
}: {
  answer: RpcAnswer;
  /** The call to show above its response, if the request has several calls. */
  call: RpcCall | undefined;
  method: string;
  outcome: Outcome;
  resultType: string | undefined;
}) {
  const { target } = outcome;
  const subject = target.kind === "network" ? { network: target.network, method } : undefined;
  return (
    <div data-testid="answer" className="min-w-0 px-4 pb-3 [&+&]:border-line [&+&]:border-t [&+&]:pt-2">
      {call && <p className="mono break-all text-ink-2">{`${call.method} ${JSON.stringify(call.params)}`}</p>}
      {error ? (
        <div className={errorClass} role="alert">
          <p>{error.message}</p>
          <p className="text-13 text-ink-2">code {error.code}</p>
          {error.data !== undefined && <JsonTree name="data" value={error.data} subject={subject} />}
        </div>
      ) : (
        <JsonTree name={resultType ?? ""} value={result ?? null} subject={subject} />
      )}
    </div>
  );
}
