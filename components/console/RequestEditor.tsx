"use client";
/**
 * Edits and sends one request. Shows its params as a form and as JSON, its target, its outcome, and the request as
 * code. Sending the request updates the page's URL.
 */
import { useId, useState } from "react";
import { Choices } from "@/components/atoms/Choices";
import { CopyButton } from "@/components/atoms/CopyButton";
import { Icon } from "@/components/atoms/Icon";
import { Snippet } from "@/components/atoms/Snippet";
import { Comparison } from "@/components/console/Comparison";
import type { RpcCall, Target } from "@/components/console/callRequest";
import { addToBatch, maxBatch } from "@/components/console/consoleStore";
import { FieldInput } from "@/components/console/FieldInput";
import { withParam } from "@/components/console/fieldValue";
import { JsonTree } from "@/components/console/JsonTree";
import { OutcomeView, outcomeHeadClass } from "@/components/console/OutcomeView";
import { type CodeKind, codeKinds, toRequestCode } from "@/components/console/requestCode";
import { TargetChoice } from "@/components/console/TargetChoice";
import { type RunState, useRun } from "@/components/console/useRun";
import { announce } from "@/components/layout/announcer";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toConsolePath } from "@/lib/links";
import { type Network, toRpcPath } from "@/lib/networks";
import { plural } from "@/lib/plural";
import type { RpcRequest } from "@/lib/rpc/client";
import type { MethodDescription } from "@/lib/rpc/schema/description";
import type { LiveExample } from "@/lib/rpc/schema/live";
import { signTransfer } from "@/lib/rpc/schema/signTransfer";

function toParamsText(params: readonly unknown[]): string {
  return JSON.stringify(params, null, 2);
}

function readParams(text: string): readonly unknown[] | undefined {
  try {
    const params: unknown = JSON.parse(text.trim() === "" ? "[]" : text);
    return Array.isArray(params) ? params : undefined;
  } catch {
    return undefined;
  }
}

export function RequestEditor({
  method,
  examples,
  initial,
  networks,
}: {
  method: MethodDescription;
  examples: readonly LiveExample[];
  /** The params as JSON text. If undefined, the first example's params are used. */
  initial: string | undefined;
  networks: readonly Network[];
}) {
  const { network, origin, source } = useNetworkContext();
  const [text, setText] = useState(initial ?? toParamsText(examples[0]?.params ?? []));
  const [example, setExample] = useState(initial === undefined ? examples[0] : undefined);
  const [target, setTarget] = useState<Target>({ kind: "network", network });
  const [other, setOther] = useState<Target | undefined>(undefined);
  const { run, cancel, ...state } = useRun();
  const params = readParams(text);
  const call: RpcCall | undefined = params && { method: method.name, params };
  // Subscription methods need an open connection.
  const isSocket = method.effect === "follows";

  const edit = (next: string) => {
    setText(next);
    setExample(undefined);
  };

  async function choose(chosen: LiveExample) {
    const next = chosen.signed ? await signAgain(chosen, network, source.request) : chosen;
    setExample(next);
    setText(toParamsText(next.params));
  }

  async function send() {
    if (!call || state.running) return;
    const sent = await run({
      calls: [call],
      targets: other ? [target, other] : [target],
      ...(example?.prepare && { prepare: example.prepare }),
      ...(isSocket && target.kind === "network" && { socket: target.network }),
    });
    if (!sent?.[0]) return;
    if (example?.prepare) setText(toParamsText(sent[0].params));
    // Next's router picks up the new URL without reloading the page.
    window.history.replaceState(null, "", toConsolePath(network.name, method.name, sent[0].params));
  }

  return (
    <Sheet id="request" title="Request" aside={<ExampleChoice examples={examples} onChoose={choose} />}>
      <form
        data-request
        className="@container grid grid-cols-[minmax(0,1fr)] min-[72rem]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void send();
        }}
      >
        <ParamsForm method={method} params={params} onChange={(next) => edit(toParamsText(next))} />
        <ParamsText text={text} fault={params === undefined} onChange={edit} />
        {/* Without scripts, or before they run, the browser submits the form. The page then shows the same request. */}
        <input type="hidden" name="method" value={method.name} />
        <div className="flex min-w-0 flex-col gap-3 border-line border-t px-4 py-3 @min-[42.5rem]:flex-row @min-[42.5rem]:flex-wrap @min-[42.5rem]:items-end @min-[42.5rem]:justify-between min-[72rem]:col-span-full">
          <Actions call={call} url={toUrl(target, origin)} state={state} onCancel={cancel} isSocket={isSocket} />
          <TargetChoice
            networks={networks}
            target={target}
            other={other}
            onTarget={setTarget}
            onOther={setOther}
            canCompare={!isSocket}
          />
          {example?.prepare && (
            <p className="text-13 text-ink-2">Calls {example.prepare.method} first and uses its result.</p>
          )}
        </div>
      </form>
      <Outcomes state={state} method={method} />
      {call && !isSocket && <RequestCode url={toUrl(target, origin)} calls={[call]} />}
    </Sheet>
  );
}

/** `params` is undefined if the text is not a JSON array. */
function ParamsForm({
  method,
  params,
  onChange,
}: {
  method: MethodDescription;
  params: readonly unknown[] | undefined;
  onChange: (params: readonly unknown[]) => void;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-3 px-4 py-3">
      {method.params.length === 0 && <p className="text-ink-2">No parameters</p>}
      {params ? (
        method.params.map(({ name, required, field }, position) => (
          <FieldInput
            key={name}
            field={field}
            name={name}
            required={required}
            value={params[position] ?? undefined}
            onChange={(value) => onChange(withParam(params, position, value))}
          />
        ))
      ) : (
        <p className="text-neg">Fix the JSON to use the form.</p>
      )}
    </div>
  );
}

function Actions({
  call,
  url,
  state: { running, following },
  onCancel,
  isSocket,
}: {
  call: RpcCall | undefined;
  url: string;
  state: RunState;
  onCancel: () => void;
  isSocket: boolean;
}) {
  const { network, origin } = useNetworkContext();
  const addCall = () => {
    if (!call) return;
    announce(addToBatch(call) ? "Added to the batch" : `The batch is full (${maxBatch} requests).`);
  };
  return (
    // On phones, the buttons are in two columns.
    <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2 max-sm:*:justify-center">
      <button type="submit" className="button button-primary" disabled={!call} aria-disabled={running}>
        {running ? "Running…" : "Run"}
      </button>
      {(running || following) && (
        <button type="button" className="button" onClick={onCancel}>
          {following ? "Stop following" : "Cancel"}
        </button>
      )}
      {!isSocket && (
        <button type="button" className="button" disabled={!call} onClick={addCall}>
          Add to batch
        </button>
      )}
      {call && (
        <CopyButton
          label="Copy link"
          done="Link copied"
          value={`${origin}${toConsolePath(network.name, call.method, call.params)}`}
          what="link"
        />
      )}
      {call && !isSocket && (
        <CopyButton
          label="Copy as curl"
          done="Copied as curl"
          value={toRequestCode("curl", url, [call])}
          what="curl command"
        />
      )}
    </div>
  );
}

function Outcomes({
  state: { running, outcomes, calls, events },
  method,
}: {
  state: RunState;
  method: MethodDescription;
}) {
  const { network } = useNetworkContext();
  const isEmpty = outcomes.length === 0 && events === undefined;
  return (
    <div aria-busy={running}>
      {isEmpty && (
        // The place of the response.
        <div className="flex min-h-24 flex-col gap-2 border-line border-t px-4 py-3 text-13">
          <h3 className="font-semibold text-14">Response</h3>
          <p className="text-ink-2">{running ? "Waiting for the response…" : "Run the request to see the response."}</p>
        </div>
      )}
      {outcomes[0] && outcomes[1] && <Comparison here={outcomes[0]} there={outcomes[1]} />}
      {outcomes.map((outcome, index) => (
        <OutcomeView
          key={index === 0 ? "here" : "there"}
          outcome={outcome}
          calls={calls}
          resultType={method.result.type}
        />
      ))}
      {events !== undefined && <Events events={events} network={network} method={method.name} />}
    </div>
  );
}

/**
 * Signs the example's transfer again. Returns the example unchanged if that fails, for example because the network
 * can't be reached.
 */
async function signAgain(example: LiveExample, network: Network, request: RpcRequest): Promise<LiveExample> {
  const raw = await signTransfer(network, request).catch(() => undefined);
  return raw === undefined ? example : { ...example, params: [raw, ...example.params.slice(1)] };
}

function toUrl(target: Target, origin: string): string {
  return target.kind === "network" ? `${origin}${toRpcPath(target.network)}` : target.url;
}

function ExampleChoice({
  examples,
  onChoose,
}: {
  examples: readonly LiveExample[];
  onChoose: (example: LiveExample) => void;
}) {
  return (
    // On phones, the label is above the buttons.
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5 max-sm:w-full">
      <legend className="param-label float-left mr-1.5 max-sm:basis-full">Examples</legend>
      {examples.map((example) => (
        <button
          key={example.summary}
          type="button"
          className="button h-auto min-h-7 whitespace-normal text-left font-normal text-ink-2"
          onClick={() => onChoose(example)}
        >
          {example.summary}
        </button>
      ))}
    </fieldset>
  );
}

/** On narrow screens, the text is hidden until the visitor asks for it, so that the Run button is near the form. */
function ParamsText({ text, fault, onChange }: { text: string; fault: boolean; onChange: (text: string) => void }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || fault;
  return (
    <div className="flex min-w-0 flex-col gap-1 border-line border-t px-4 py-3 min-[72rem]:border-t-0 min-[72rem]:border-l">
      <button
        type="button"
        className="inline-flex min-h-6 items-center gap-1 self-start text-13 text-ink-2 hover:text-ink min-[72rem]:hidden"
        aria-expanded={isShown}
        onClick={() => setOpen(!isOpen)}
      >
        Edit as JSON
        <Icon name="down" className={isShown ? "rotate-180" : ""} />
      </button>
      <div className={`flex flex-1 flex-col gap-0.5 ${isShown ? "" : "max-[71.99rem]:hidden"}`}>
        <label htmlFor={id} className="param-label">
          Params as JSON
        </label>
        <textarea
          id={id}
          name="params"
          className="field w-full flex-1"
          rows={Math.min(24, Math.max(6, text.split("\n").length))}
          spellCheck={false}
          autoComplete="off"
          value={text}
          aria-invalid={fault}
          aria-describedby={fault ? `${id}-fault` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {fault && (
          <p id={`${id}-fault`} className="param-hint text-neg">
            The params must be a JSON array.
          </p>
        )}
      </div>
    </div>
  );
}

function Events({ events, network, method }: { events: readonly unknown[]; network: Network; method: string }) {
  return (
    <div className="border-line border-t">
      <p className={outcomeHeadClass} role="status">
        Following: {events.length} {plural(events.length, "event")} so far
      </p>
      {events.length > 0 && (
        <div className="px-4 pb-3">
          <JsonTree name="events" value={events} subject={{ network, method }} depth={1} />
        </div>
      )}
    </div>
  );
}

export function RequestCode({ url, calls }: { url: string; calls: readonly RpcCall[] }) {
  const [kind, setKind] = useState<CodeKind>("curl");
  return (
    <div className="border-line border-t">
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
        <span className="label">As code</span>
        <Choices names={codeKinds} chosen={kind} onChoose={setKind} />
      </div>
      <Snippet isWhole code={toRequestCode(kind, url, calls)} what={`${kind} example`} />
    </div>
  );
}
