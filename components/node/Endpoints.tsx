"use client";
import { Copy } from "@/components/atoms/Copy";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
/** The URLs of the node's endpoints, ready to copy. */
import { WrapText } from "@/components/atoms/WrapText";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toRpcPath } from "@/lib/networks";

export function Endpoints() {
  const { network, origin } = useNetworkContext();
  const rpc = `${origin}${toRpcPath(network)}`;
  const endpoints = [
    ["JSON-RPC", rpc],
    ["Event stream", `${origin}/api/stream/${network.name}`],
    ...(network.tokens.length > 0 ? [["Facilitator", `${origin}/api/facilitator`]] : []),
    ["Health", `${origin}/api/health`],
    ["Metrics", `${origin}/api/metrics`],
  ] as [label: string, url: string][];
  return (
    <Sheet id="endpoints" title="Endpoints">
      <InfoList label="Endpoints">
        {endpoints.map(([label, url]) => (
          <InfoRow key={label} label={label}>
            <span className="identifier">
              <span className="mono min-w-0 wrap-anywhere">
                <WrapText text={url} />
              </span>
              <Copy value={url} what={`${label} URL`} quiet={false} />
            </span>
          </InfoRow>
        ))}
      </InfoList>
    </Sheet>
  );
}
