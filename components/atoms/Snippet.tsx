/** A command or code sample with a copy button that is always visible. */
import { Copy } from "@/components/atoms/Copy";

/**
 * `shown` is displayed instead of a long code sample. The copy button still copies all of `code`. `isWhole` shows a long
 * sample at its full height, and fades long lines at the right edge.
 */
export function Snippet({
  code,
  what,
  shown = code,
  isWhole = false,
}: {
  code: string;
  what: string;
  shown?: string;
  isWhole?: boolean;
}) {
  const height = isWhole ? "" : "max-h-120";
  return (
    <div className="relative min-w-0 bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className={`overflow-auto px-4 py-2.5 font-mono text-12 leading-5 ${height}`}>
        <code className="inline-block min-w-full pr-8">{shown}</code>
      </pre>
      {/* The code fades out below the button. */}
      <span
        className={`absolute right-0 flex bg-linear-to-l from-60% from-sunken pr-2 pl-5 ${isWhole ? "pointer-events-none inset-y-0 items-start pt-2 *:pointer-events-auto" : "top-2"}`}
      >
        <Copy value={code} what={what} quiet={false} />
      </span>
    </div>
  );
}
