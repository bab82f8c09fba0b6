"use client";
/**
 * Lists the page's JSON-RPC requests with their responses and times. It can rerun them, copy them as curl or open them
 * in the console. If opened from a value, it shows that value's request first.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Snippet } from "@/components/atoms/Snippet";
import { AppLink } from "@/components/layout/AppLink";
import { Dialog } from "@/components/layout/Dialog";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { formatDate } from "@/lib/formatTime";
import { toConsolePath } from "@/lib/links";
import { toRpcPath } from "@/lib/networks";
import { findRequestTime } from "@/lib/query/requestTimes";
import { isRequestKey, type RequestKey } from "@/lib/query/source";

type Shown = { key: RequestKey; data: unknown; updatedAtMs: number };

/** Longer responses are truncated for display. The console and curl show the whole response. */
const shownCharacters = 20_000;

/** Some requests name hundreds of slots. The curl command has all params. */
const shownParamCharacters = 300;

function toShownParams(params: readonly unknown[]): string {
  const text = JSON.stringify(params);
  return text.length > shownParamCharacters ? `${text.slice(0, shownParamCharacters)}…` : text;
}

const formatTook = (tookMs: number) => `${Number(tookMs.toPrecision(3))} ms`;

export function RequestsDialog({ wanted, onClose }: { wanted?: string | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const requests = client
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive())
    .flatMap((query): Shown[] =>
      isRequestKey(query.queryKey)
        ? [{ key: query.queryKey, data: query.state.data, updatedAtMs: query.state.dataUpdatedAt }]
        : [],
    );
  const isWanted = ({ key }: Shown) => JSON.stringify(key) === wanted;
  if (wanted !== undefined && !requests.some(isWanted)) {
    // `wanted` returns the clicked value, but the page got that value from another request. Lists `wanted` too.
    const key: unknown = JSON.parse(wanted);
    if (Array.isArray(key) && isRequestKey(key)) requests.push({ key, data: undefined, updatedAtMs: 0 });
  }
  const shown = requests.toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)));
  return (
    <Dialog title={`Requests behind this page (${shown.length})`} onClose={onClose}>
      <p className="border-line border-b px-4 py-3 text-13 text-ink-2">
        Everything on this page comes from JSON-RPC requests. You can repeat them from a terminal.
      </p>
      {shown.map((request) => (
        <Request
          key={JSON.stringify(request.key)}
          request={request}
          open={isWanted(request) || shown.length === 1}
          onClose={onClose}
        />
      ))}
    </Dialog>
  );
}

function Request({ request, open, onClose }: { request: Shown; open: boolean; onClose: () => void }) {
  const { network, origin, source } = useNetworkContext();
  const { key } = request;
  const [, method, params] = key;
  const [isOpen, setOpen] = useState(open);
  const [asked, setAsked] = useState<{ data: unknown; tookMs: number } | undefined>(undefined);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = JSON.stringify(asked ? asked.data : request.data, null, 2) ?? "No response yet.";
  const tookMs = asked?.tookMs ?? findRequestTime(JSON.stringify(key));

  async function runAgain() {
    const startedAt = performance.now();
    let data: unknown;
    try {
      data = await source.request({ method, params } as Parameters<typeof source.request>[0]);
    } catch (error) {
      data = { error: error instanceof Error ? error.message : String(error) };
    }
    setAsked({ data, tookMs: performance.now() - startedAt });
  }

  return (
    <details
      className="border-line border-b last:border-b-0"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer py-2 pr-4 pl-9 -indent-5">
        <span className="float-right ml-3 indent-0 text-12 text-ink-2 leading-6">
          {tookMs === undefined ? (request.updatedAtMs === 0 ? "" : "sent by the server") : formatTook(tookMs)}
        </span>
        <span className="mono">{method}</span>{" "}
        <span className="mono wrap-anywhere text-ink-3">{toShownParams(params)}</span>
      </summary>
      {isOpen && (
        <>
          <Snippet
            what="curl command"
            code={`curl -s ${origin}${toRpcPath(network)} -H 'content-type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-2 text-13 text-ink-2">
            <span role="status" className="mr-auto">
              {tookMs === undefined && request.updatedAtMs === 0
                ? "Not requested"
                : tookMs === undefined
                  ? `Fetched by the server, ${formatDate(Math.floor(request.updatedAtMs / 1000))}`
                  : `Response in ${formatTook(tookMs)}`}
            </span>
            <button type="button" className="button" onClick={runAgain}>
              Run again
            </button>
            <AppLink
              href={toConsolePath(network.name, method, params)}
              className="button no-underline"
              onClick={onClose}
            >
              Open in the console
            </AppLink>
          </div>
          <div className="border-line border-t">
            <Snippet
              what="answer"
              code={answer}
              {...(answer.length > shownCharacters && { shown: `${answer.slice(0, shownCharacters)}\n…` })}
            />
          </div>
        </>
      )}
    </details>
  );
}
