"use client";
/**
 * Lists the page's JSON-RPC requests with their responses and times. It can rerun them, copy them as curl or open them
 * in the console. If opened from a value, it shows that value's request first.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { copyText } from "@/components/atoms/copyText";
import { Icon } from "@/components/atoms/Icon";
import { Snippet } from "@/components/atoms/Snippet";
import { WrapText } from "@/components/atoms/WrapText";
import { toRequestCode } from "@/components/console/requestCode";
import { AppLink } from "@/components/layout/AppLink";
import { Dialog } from "@/components/layout/Dialog";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { formatDate } from "@/lib/formatTime";
import { toConsolePath } from "@/lib/links";
import { toRpcPath } from "@/lib/networks";
import { findRequestTime, findServerTime } from "@/lib/query/requestTimes";
import { isRequestKey, type RequestKey } from "@/lib/query/source";
import { formatInteger } from "@/lib/units";

type Shown = {
  key: RequestKey;
  status: keyof typeof marks;
  data: unknown;
  updatedAtMs: number;
  /** How long the server's request took, if the data is from the server and its time is known. */
  serverMs?: number | undefined;
};

/** The mark of each status, with its color. `none` is a request that the page hasn't sent. */
const marks = {
  success: { name: "check", className: "text-pos" },
  error: { name: "cross", className: "text-neg" },
  pending: { name: "clock", className: "text-ink-3" },
  none: undefined,
} as const;

/** Longer responses are truncated for display. The console and curl show the whole response. */
const shownCharacters = 20_000;

/** Some requests name hundreds of slots. The curl command has all params. */
const shownParamCharacters = 300;

function toShownParams(params: readonly unknown[]): string {
  // On one line, with spaces at which it can wrap.
  const text = JSON.stringify(params, null, 1)
    .replaceAll(/([[{])\n\s*|\n\s*(?=[\]}])/g, "$1")
    .replaceAll(/\n\s*/g, " ");
  return text.length > shownParamCharacters ? `${text.slice(0, shownParamCharacters)}…` : text;
}

const toFailure = (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) });

/** Times below 10 ms have one decimal. */
function formatTook(tookMs: number): string {
  return `${tookMs < 9.95 ? Math.max(0.1, tookMs).toFixed(1) : formatInteger(Math.round(tookMs))} ms`;
}

function toStatusText(status: Shown["status"], tookMs: number | undefined, serverMs: number | undefined): string {
  if (status === "none") return "";
  if (status === "pending") return "Waiting…";
  if (status === "error") return "Failed";
  if (tookMs !== undefined) return formatTook(tookMs);
  return serverMs === undefined ? "server-side" : `server · ${formatTook(serverMs)}`;
}

/** The same in a sentence, for the open request. */
function toStatusLine({ updatedAtMs, serverMs }: Shown, status: Shown["status"], tookMs: number | undefined): string {
  if (status === "none") return "Not requested";
  if (status !== "success") return toStatusText(status, tookMs, serverMs);
  if (tookMs !== undefined) return `Response in ${formatTook(tookMs)}`;
  const took = serverMs === undefined ? "" : ` in ${formatTook(serverMs)}`;
  return `Fetched by the server${took}, ${formatDate(Math.floor(updatedAtMs / 1000))}`;
}

export function RequestsDialog({ wanted, onClose }: { wanted?: string | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const requests = client
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive())
    .flatMap(({ queryKey, state }): Shown[] => {
      if (!isRequestKey(queryKey)) return [];
      const { status, error, dataUpdatedAt: updatedAtMs } = state;
      const data = state.data ?? (error ? toFailure(error) : undefined);
      return [{ key: queryKey, status, data, updatedAtMs, serverMs: findServerTime(state) }];
    });
  const isWanted = ({ key }: Shown) => JSON.stringify(key) === wanted;
  if (wanted !== undefined && !requests.some(isWanted)) {
    // `wanted` returns the clicked value, but the page got that value from another request. Lists `wanted` too.
    const key: unknown = JSON.parse(wanted);
    if (Array.isArray(key) && isRequestKey(key)) {
      requests.push({ key, status: "none", data: undefined, updatedAtMs: 0 });
    }
  }
  const shown = requests.toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)));
  return (
    <Dialog title={`Requests behind this page (${shown.length})`} onClose={onClose}>
      <div className="flex items-center justify-between gap-x-4 border-line border-b px-4 py-3 text-13">
        <p className="text-pretty text-ink-2">This page’s data comes from these JSON-RPC requests.</p>
        {shown.length > 1 && <CopyAll keys={shown.map(({ key }) => key)} />}
      </div>
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

/** Copies all requests as one batch. */
function CopyAll({ keys }: { keys: readonly RequestKey[] }) {
  const { network, origin } = useNetworkContext();
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    const calls = keys.map(([, method, params]) => ({ method, params }));
    setCopied(await copyText(toRequestCode("curl", `${origin}${toRpcPath(network)}`, calls), "curl command"));
  }
  return (
    <button type="button" className="button shrink-0" onClick={copy}>
      {isCopied ? "Copied as curl" : "Copy all as curl"}
    </button>
  );
}

function Request({ request, open, onClose }: { request: Shown; open: boolean; onClose: () => void }) {
  const { network, origin, source } = useNetworkContext();
  const { key } = request;
  const [, method, params] = key;
  const [isOpen, setOpen] = useState(open);
  const [asked, setAsked] = useState<(Pick<Shown, "data" | "status"> & { tookMs: number }) | undefined>(undefined);
  const { status, data } = asked ?? request;
  const answer = JSON.stringify(data, null, 2) ?? "No response yet.";
  const tookMs = asked?.tookMs ?? findRequestTime(JSON.stringify(key));

  async function runAgain() {
    const startedAt = performance.now();
    const answered = await source.request({ method, params } as Parameters<typeof source.request>[0]).then(
      (result) => ({ status: "success", data: result }) as const,
      (error) => ({ status: "error", data: toFailure(error) }) as const,
    );
    setAsked({ ...answered, tookMs: performance.now() - startedAt });
  }

  return (
    <details
      className="border-line border-b last:border-b-0"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer py-2 pr-4 pl-9 -indent-5">
        <span className="float-right ml-2 inline-flex items-center gap-1.5 indent-0 text-12 text-ink-2 leading-6">
          {marks[status] && <Icon {...marks[status]} />}
          {/* The marks are in one column. */}
          <span className="min-w-20 text-right">{toStatusText(status, tookMs, request.serverMs)}</span>
        </span>
        <span className="mono">
          <WrapText text={method} />
        </span>{" "}
        <span className={`mono wrap-anywhere text-ink-3 ${params.length > 0 ? "max-sm:block max-sm:indent-0" : ""}`}>
          {toShownParams(params)}
        </span>
      </summary>
      {isOpen && (
        <>
          <Snippet
            what="curl command"
            code={toRequestCode("curl", `${origin}${toRpcPath(network)}`, [{ method, params }])}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-2 text-13 text-ink-2">
            <span role="status" className="mr-auto">
              {toStatusLine(request, status, tookMs)}
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
