/** A 32-byte word in a list of decoded values. */
import { Copy } from "@/components/atoms/Copy";

/** With `isLit`, hovering over the word highlights all places where it occurs. */
export function WordRow({ name, value, isLit = false }: { name: string; value: string; isLit?: boolean }) {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd className="topic flex min-w-0 items-center gap-x-1.5" data-lit={isLit ? value : undefined}>
        <Word value={value} />
        <Copy value={value} what={name} quiet={false} />
      </dd>
    </div>
  );
}

/** All digits, with padding zeros in gray. If they don't fit on one line, they are on two equal ones. */
function Word({ value }: { value: string }) {
  const start = /^0x(?:00)*/.exec(value)?.[0] ?? "";
  return (
    <code className="mono break-all @max-[30rem]:max-w-[33.25ch]">
      {start !== "0x" && <span className="text-ink-3">{start}</span>}
      {start === "0x" ? value : value.slice(start.length)}
    </code>
  );
}
