/** A URL or a path. If it doesn't fit on one line, it wraps between its parts. */
import { WrapText } from "@/components/atoms/WrapText";

export const Url = ({ url }: { url: string }) => (
  <span className="mono wrap-anywhere min-w-0">
    <WrapText text={url} />
  </span>
);

/** The URL of a paid resource. The path says what was paid for, so the server before it is faint. */
export function ResourceUrl({ url }: { url: string }) {
  const [server = ""] = /^https?:\/\/[^/]*/.exec(url) ?? [];
  return (
    <span className="mono wrap-anywhere">
      <span className="text-ink-3">{server}</span>
      <wbr />
      <WrapText text={url.slice(server.length)} />
    </span>
  );
}
