"use client";
/** The node's endpoints: their origin once, then a path each. The copy buttons copy whole URLs. */
import { Copy } from "@/components/atoms/Copy";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Url } from "@/components/atoms/Url";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toRpcPath } from "@/lib/networks";

export function Endpoints() {
  const { network, origin } = useNetworkContext();
  const endpoints = [
    ["JSON-RPC", toRpcPath(network)],
    ["Event stream", `/api/stream/${network.name}`],
    ...(network.tokens.length > 0 ? [["Facilitator", "/api/facilitator"]] : []),
    ["Health", "/api/health"],
    ["Metrics", "/api/metrics"],
  ] as [label: string, path: string][];
  return (
    <Sheet
      id="endpoints"
      title="Endpoints"
      aside={
        <span className="identifier">
          <span className="mono wrap-anywhere min-w-0 text-ink-3">{origin}</span>
          <Copy value={origin} what="server URL" quiet={false} />
        </span>
      }
    >
      {/* On tablets, the rows are in two columns. */}
      <div className="md:max-lg:[&>dl]:grid md:max-lg:[&>dl]:grid-cols-2 md:max-lg:[&>dl>:nth-last-child(2):nth-child(odd)]:border-b-0 [&_.info-row]:gap-x-4! [&_.info-row]:grid-cols-[6.5rem_minmax(0,1fr)]!">
        <InfoList label="Endpoints">
          {endpoints.map(([label, path]) => (
            <Endpoint key={label} label={label} path={path} />
          ))}
        </InfoList>
      </div>
    </Sheet>
  );
}

/** The copy buttons are below each other. */
function Endpoint({ label, path }: { label: string; path: string }) {
  const { origin } = useNetworkContext();
  return (
    <InfoRow label={label}>
      <span className="flex min-h-6 items-center justify-between gap-2">
        <Url url={path} />
        <Copy value={`${origin}${path}`} what={`${label} URL`} quiet={false} />
      </span>
    </InfoRow>
  );
}
