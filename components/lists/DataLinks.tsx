"use client";
import { ShowRequest } from "@/components/atoms/ShowRequest";
/** Links to the data behind a list or page: the request, the response as JSON and, for a list, all rows as CSV. */
import { useNetwork } from "@/components/layout/NetworkContext";
import { toExportPath } from "@/lib/links";
import type { MethodName } from "@/lib/rpc/methods";

export function DataLinks({
  method,
  params,
  csv = false,
}: {
  method: MethodName;
  params: readonly unknown[];
  csv?: boolean;
}) {
  const network = useNetwork();
  const formats = csv ? (["csv", "json"] as const) : (["json"] as const);
  return (
    <span className="data-links flex items-center gap-3 text-13">
      <ShowRequest request={[network.name, method, params]} isQuiet={false} />
      {formats.map((format) => (
        <a
          key={format}
          className="app-link text-ink-2"
          href={toExportPath(network.name, method, params, format)}
          aria-label={`This data as ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  );
}
