/**
 * A resource in the list of totals: its path and query, above its host if that is not this server's. The query stays
 * together if it fits on a line.
 */
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toPaymentsPath } from "@/lib/links";
import { toResourceParts } from "./resourceParts";

export function ResourceName({ subject }: { subject: string }) {
  const { network, origin } = useNetworkContext();
  const { path, query, host } = toResourceParts(subject, origin, network.name);
  return (
    <span className={`flex min-w-0 flex-col md:py-2 ${host || query ? "has-second-line" : ""}`}>
      <AppLink
        href={toPaymentsPath(network.name, { resource: subject })}
        className="wrap-anywhere whitespace-normal"
        title={subject}
      >
        <span className="font-medium">
          <WrapText text={path} />
        </span>
        {query && (
          <span className="inline-block text-12 text-ink-2 [text-decoration:inherit]">
            <WrapText text={query} />
          </span>
        )}
      </AppLink>
      {host && <span className="wrap-anywhere whitespace-normal text-12 text-ink-3 leading-4">{host}</span>}
    </span>
  );
}
