/** A command or code sample with a copy button that is always visible. */
import { Copy } from "@/components/atoms/Copy";

/**
 * `shown` is displayed instead of a long code sample. The copy button still copies all of `code`. `isWhole` shows a long
 * sample at its full height. `wraps` is for data, whose lines can be broken anywhere.
 */
export function Snippet({
  code,
  what,
  shown = code,
  isWhole = false,
  wraps = false,
}: {
  code: string;
  what: string;
  shown?: string;
  isWhole?: boolean;
  wraps?: boolean;
}) {
  const height = isWhole ? "" : "max-h-120";
  // A line of its own, such as a URL, wraps on phones. Only a program scrolls.
  const wrapping = wraps
    ? "whitespace-pre-wrap break-all"
    : code.includes("\n")
      ? ""
      : "max-sm:wrap-anywhere max-sm:whitespace-pre-wrap";
  return (
    <div className="relative min-w-0 bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className={`overflow-auto px-4 py-2.5 font-mono text-12 leading-5 ${height} ${wrapping}`}>
        <code className="inline-block min-w-full pr-8">{shown}</code>
      </pre>
      {/* Long lines fade out at the edge. */}
      <span className="pointer-events-none absolute inset-y-0 right-0 flex items-start bg-linear-to-l from-60% from-sunken pt-2 pr-2 pl-5 *:pointer-events-auto">
        <Copy value={code} what={what} quiet={false} />
      </span>
    </div>
  );
}
