"use client";
/** The requests made in this browser, newest first. Each one links back to the console with the same params. */
import { Icon } from "@/components/atoms/Icon";
import { forgetHistory, useConsoleMemory } from "@/components/console/consoleStore";
import { EmptyPanel } from "@/components/console/EmptyPanel";
import { AppLink } from "@/components/layout/AppLink";
import { Sheet } from "@/components/layout/Sheet";
import { formatDate } from "@/lib/formatTime";
import { toConsolePath } from "@/lib/links";
import { formatBytes } from "@/lib/units";

export function HistoryPanel({ networks }: { networks: readonly { name: string; label: string }[] }) {
  const { history } = useConsoleMemory();
  const toLabel = (name: string) => networks.find((network) => network.name === name)?.label ?? name;
  if (history.length === 0) {
    return (
      <EmptyPanel id="history" title="History">
        Requests you run are saved in this browser.
      </EmptyPanel>
    );
  }
  return (
    <Sheet
      id="history"
      title="History"
      aside={
        <button type="button" className="button" onClick={forgetHistory}>
          Clear
        </button>
      }
    >
      <ul>
        {history.map(({ method, params, network, atMs, ms, bytes, ok }) => (
          <li
            key={atMs}
            className="flex min-w-0 items-center gap-2 border-line border-b px-4 py-1.5 last:border-b-0 max-sm:flex-wrap"
          >
            <span className={ok ? "text-pos" : "text-neg"} title={ok ? "Success" : "Failed"}>
              <Icon name={ok ? "check" : "cross"} />
              <span className="sr-only">{ok ? "Success" : "Failed"}</span>
            </span>
            <AppLink href={toConsolePath(network, method, params)} className="mono min-w-0 flex-1 truncate">
              {method} <span className="text-ink-3">{JSON.stringify(params)}</span>
            </AppLink>
            <span className="flex flex-none gap-3 text-12 text-ink-3 leading-5 max-sm:basis-full max-sm:flex-wrap">
              <span>{toLabel(network)}</span>
              <span>
                {Math.max(1, Math.round(ms))} ms, {formatBytes(bytes)}
              </span>
              <time dateTime={new Date(atMs).toISOString()}>{formatDate(Math.floor(atMs / 1000))}</time>
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
