/** A command or code sample with a copy button that is always visible. */
import { Copy } from "@/components/atoms/Copy";

/** `shown` replaces a long code sample on the page. The copy button copies all of `code`. */
export function Snippet({ code, what, shown = code }: { code: string; what: string; shown?: string }) {
  return (
    <div className="flex min-w-0 items-start gap-2 bg-sunken py-2.5 pr-3 pl-4">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-88 min-w-0 flex-1 overflow-auto font-mono text-12 leading-5">
        <code>{shown}</code>
      </pre>
      <Copy value={code} what={what} quiet={false} />
    </div>
  );
}
