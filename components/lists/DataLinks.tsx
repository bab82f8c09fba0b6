"use client";
/** Links to the data behind a list or page: the request, the response as JSON and, for a list, all rows as CSV. */
import { ShowRequest } from "@/components/atoms/ShowRequest";
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
    <span className="data-links inline-flex h-6.5 items-stretch divide-x divide-line overflow-hidden rounded-md border border-line text-12 leading-6 [&>button]:m-0 [&>button]:h-auto [&>button]:rounded-none [&>button]:text-ink-2 [&>*:focus-visible]:-outline-offset-2 [&>*:hover]:bg-lit">
      <ShowRequest request={[network.name, method, params]} isQuiet={false} />
      {formats.map((format) => (
        <a
          key={format}
          className="px-2 text-ink-2 no-underline hover:text-ink"
          href={toExportPath(network.name, method, params, format)}
          aria-label={`This data as ${format.toUpperCase()}`}
          title={`This data as ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  );
}
