/** A command or code sample with a copy button that is always visible. */
import { Copy } from "@/components/atoms/Copy";

/** shown is displayed instead of a long code; the copy button copies all of it. */
export function Snippet({ code, what, shown = code }: { code: string; what: string; shown?: string }) {
  return (
    <div className="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{shown}</code>
      </pre>
      <Copy value={code} what={what} quiet={false} />
    </div>
  );
}
