"use client";
/** The requests that the visitor has collected to send as one JSON-RPC batch. */
import { Icon } from "@/components/atoms/Icon";
import { emptyBatch, removeFromBatch, useConsoleMemory } from "@/components/console/consoleStore";
import { EmptyPanel } from "@/components/console/EmptyPanel";
import { OutcomeView } from "@/components/console/OutcomeView";
import { RequestCode } from "@/components/console/RequestEditor";
import { useRun } from "@/components/console/useRun";
import { AppLink } from "@/components/layout/AppLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toConsolePath } from "@/lib/links";
import { toRpcPath } from "@/lib/networks";
import { plural } from "@/lib/plural";

export function BatchPanel() {
  const { network, origin } = useNetworkContext();
  const { batch } = useConsoleMemory();
  const { run, running, outcomes, calls } = useRun();
  if (batch.length === 0) {
    return (
      <EmptyPanel id="batch" title="Batch">
        Add requests to send them as one batch.
      </EmptyPanel>
    );
  }
  return (
    <Sheet
      id="batch"
      title={`Batch of ${batch.length} ${plural(batch.length, "request")}`}
      aside={
        <span className="flex gap-2">
          <button type="button" className="button" onClick={emptyBatch}>
            Clear
          </button>
          <button
            type="button"
            className="button button-primary"
            aria-disabled={running}
            onClick={() => !running && void run({ calls: batch, targets: [{ kind: "network", network }] })}
          >
            {running ? "Running…" : "Run batch"}
          </button>
        </span>
      }
    >
      <ol>
        {batch.map(({ method, params }, index) => {
          const label = `Remove ${method} ${index + 1}`;
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the same request may be in a batch twice
              key={index}
              className="flex min-w-0 items-center gap-2 border-line border-b px-4 py-1.5 max-sm:flex-wrap"
            >
              <AppLink href={toConsolePath(network.name, method, params)} className="mono min-w-0 flex-1 truncate">
                {method} <span className="text-ink-3">{JSON.stringify(params)}</span>
              </AppLink>
              <button
                type="button"
                className="icon-button"
                aria-label={label}
                title={label}
                onClick={() => removeFromBatch(index)}
              >
                <Icon name="cross" />
              </button>
            </li>
          );
        })}
      </ol>
      <div aria-busy={running}>
        {outcomes.map((outcome) => (
          <OutcomeView key="batch" outcome={outcome} calls={calls} />
        ))}
      </div>
      <RequestCode url={`${origin}${toRpcPath(network)}`} calls={batch} />
    </Sheet>
  );
}
