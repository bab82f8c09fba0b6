"use client";
/**
 * Every fact on a page came from a JSON-RPC request, and a query's key is that request: this shows them with their
 * answers, ready to be repeated from a terminal.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { Snippet } from "@/components/chain/Snippet";
import { Dialog } from "@/components/layout/Dialog";
import { t } from "@/lib/messages/translate";
import { toRpcPath } from "@/lib/networks";
import { isRequestKey } from "@/lib/query/source";

export function RequestsDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { network, origin } = useNetworkContext();
  const requests = client
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive())
    .flatMap((query) =>
      isRequestKey(query.queryKey) ? [{ key: query.queryKey, data: query.state.data, hash: query.queryHash }] : [],
    );
  return (
    <Dialog title={t("requests.title", { count: requests.length })} onClose={onClose}>
      <p className="border-line border-b px-4 py-3 text-13 text-ink-2">{t("requests.explanation")}</p>
      {requests.map(({ key: [, method, params], data, hash }) => (
        <details key={hash} className="border-line border-b last:border-b-0">
          <summary className="cursor-pointer px-4 py-2">
            <span className="mono">{method}</span>{" "}
            <span className="mono break-all text-ink-3">{JSON.stringify(params)}</span>
          </summary>
          <Snippet
            what={t("requests.curl")}
            code={`curl -s ${origin}${toRpcPath(network)} -H 'content-type: application/json' \\\n  -d '${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}'`}
          />
          <div className="border-line border-t">
            <Snippet what={t("requests.answer")} code={JSON.stringify(data, null, 2) ?? t("requests.noAnswer")} />
          </div>
        </details>
      ))}
    </Dialog>
  );
}
