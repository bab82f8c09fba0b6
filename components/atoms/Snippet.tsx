/** A command or code sample, with a copy button that is always visible unless the sheet's title has it. */
import type { ComponentType, CSSProperties } from "react";
import { Copy } from "@/components/atoms/Copy";
import { WrapText } from "@/components/atoms/WrapText";

type TextType = ComponentType<{ text: string }>;

/**
 * `shown` is displayed instead of a long code sample. The copy button still copies all of `code`. `what` names it;
 * without it, there is no button. `isWhole` shows a long sample at its full height. `wraps` wraps its lines on wide
 * screens too. `Text` renders a line's code.
 */
export function Snippet({
  code,
  what,
  shown = code,
  isWhole = false,
  wraps = false,
  Text = WrapText,
}: {
  code: string;
  what?: string;
  shown?: string;
  isWhole?: boolean;
  wraps?: boolean;
  Text?: TextType;
}) {
  const height = isWhole ? "" : "max-h-120";
  // On narrower screens, everything wraps: a line of its own, such as a URL, between its parts.
  const isLine = !wraps && !code.includes("\n");
  const lines = wraps
    ? "wrap-anywhere whitespace-pre-wrap"
    : "max-lg:wrap-anywhere max-lg:whitespace-pre-wrap lg:[&_wbr]:hidden";
  return (
    <div className="relative min-w-0 bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className={`overflow-auto px-4 py-2.5 font-mono text-12 leading-5 ${height} ${lines}`}>
        <code className={`inline-block min-w-full ${what === undefined ? "" : "pr-8"}`}>
          {isLine ? <WrapText text={shown} /> : <IndentedLines text={shown} isWide={wraps} Text={Text} />}
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

/**
 * Lines whose wrapped rest is indented too, so that the indentation still shows the structure. With `isWide`, they wrap
 * on wide screens too.
 */
function IndentedLines({ text, isWide, Text }: { text: string; isWide: boolean; Text: TextType }) {
  const lines = text.split("\n");
  return lines.map((line, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
      key={index}
      className={isWide ? "hanging" : "hanging-narrow"}
      style={{ "--columns": line.length - line.trimStart().length + 2 } as CSSProperties}
    >
      <CodeLine line={line} isWide={isWide} Text={Text} />
      {index < lines.length - 1 && "\n"}
    </span>
  ));
}

/** Comments and the names in JSON are paler than the rest. A long JSON string that wraps begins beside its name. */
function CodeLine({ line, isWide, Text }: { line: string; isWide: boolean; Text: TextType }) {
  const [, pale = "", rest = "", note = ""] = /^(\s*(?:#|\/\/) .*|\s*"\w+": )?(.*?)(\s\/\/ .*)?$/.exec(line) ?? [];
  return (
    <>
      {pale && (
        <span className="text-ink-3">
          <WrapText text={pale} />
        </span>
      )}
      <span
        className={Text === WrapText && /^\s*"/.test(line) ? (isWide ? "break-all" : "max-lg:break-all") : undefined}
      >
        <Text text={rest} />
      </span>
      {note && <span className="text-ink-3">{note}</span>}
    </>
  );
}
