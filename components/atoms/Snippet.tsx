/** A command or code sample, with a copy button that is always visible unless the sheet's title has it. */
import { Copy } from "@/components/atoms/Copy";
import { WrapText } from "@/components/atoms/WrapText";

const wrapping = { words: "wrap-anywhere whitespace-pre-wrap", anywhere: "whitespace-pre-wrap break-all" };

/**
 * `shown` is displayed instead of a long code sample. The copy button still copies all of `code`. `what` names it;
 * without it, there is no button. `isWhole` shows a long sample at its full height. `wraps` breaks its lines between
 * words, or anywhere if it is data.
 */
export function Snippet({
  code,
  what,
  shown = code,
  isWhole = false,
  wraps,
}: {
  code: string;
  what?: string;
  shown?: string;
  isWhole?: boolean;
  wraps?: keyof typeof wrapping;
}) {
  const height = isWhole ? "" : "max-h-120";
  // A line of its own, such as a URL, wraps on phones, between its parts. Only a program scrolls.
  const isLine = wraps === undefined && !code.includes("\n");
  const lines = wraps ? wrapping[wraps] : isLine ? "max-sm:wrap-anywhere max-sm:whitespace-pre-wrap" : "";
  return (
    <div className="relative min-w-0 bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className={`overflow-auto px-4 py-2.5 font-mono text-12 leading-5 ${height} ${lines}`}>
        <code className={`inline-block min-w-full ${what === undefined ? "" : "pr-8"}`}>
          {wraps === "anywhere" ? <IndentedLines text={shown} /> : isLine ? <WrapText text={shown} /> : shown}
        </code>
      </pre>
      {what !== undefined && (
        // Long lines fade out at the edge.
        <span className="pointer-events-none absolute inset-y-0 right-0 flex items-start bg-linear-to-l from-60% from-sunken pt-2 pr-2 pl-5 *:pointer-events-auto">
          <Copy value={code} what={what} quiet={false} />
        </span>
      )}
    </div>
  );
}

/** Lines whose wrapped rest is indented too, so that the indentation still shows the structure. */
function IndentedLines({ text }: { text: string }) {
  return text.split("\n").map((line, index) => {
    const columns = line.length - line.trimStart().length + 2;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
      <span key={index} className="block" style={{ paddingLeft: `${columns}ch`, textIndent: `-${columns}ch` }}>
        {line}
      </span>
    );
  });
}
