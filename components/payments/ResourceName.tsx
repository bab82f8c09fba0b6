/**
 * A resource in the list of totals: its path and query, above its server. Leaves out the part of the URL that most
 * resources share (`frame`), because the list's head shows it. The query stays together if it fits on a line.
 */
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { toPaymentsPath } from "@/lib/links";
import { toResourcePath } from "@/lib/shownText";
import { toFramedUrl } from "./resourceFrame";

export function ResourceName({
  network,
  subject,
  frame,
}: {
  network: string;
  subject: string;
  frame: string | undefined;
}) {
  const url = toFramedUrl(subject, network);
  const isFramed = url !== undefined && url.frame === frame;
  const query = isFramed ? url.rest : url?.query;
  return (
    <span className="flex min-w-0 flex-col md:py-2">
      <AppLink
        href={toPaymentsPath(network, { resource: subject })}
        className="wrap-anywhere whitespace-normal"
        {...(isFramed && { title: subject })}
      >
        <span className="font-medium">
          <WrapText text={toResourcePath(subject)} />
        </span>
        {query && (
          <span className="inline-block text-12 text-ink-2 [text-decoration:inherit]">
            <WrapText text={query} />
          </span>
        )}
      </AppLink>
      {url && !isFramed && (
        <span className="wrap-anywhere whitespace-normal text-12 text-ink-3 leading-4">{url.origin}</span>
      )}
    </span>
  );
}
