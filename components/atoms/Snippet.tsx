/**
 * A command or piece of code to take away, with its copy button always in reach.
 */
import { Copy } from "@/components/atoms/Copy";

/** shown is painted in place of a long code; the copy button has all of it. */
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
