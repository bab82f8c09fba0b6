/**
 * A command or piece of code to take away, with its copy button always in reach.
 */
import { Copy } from "@/components/chain/Copy";

export function Snippet({ code, what }: { code: string; what: string }) {
  return (
    <div className="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <Copy value={code} what={what} quiet={false} />
    </div>
  );
}
