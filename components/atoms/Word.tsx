/** All digits of a 32-byte word, with padding zeros in gray. If they don't fit on one line, they are on two equal ones. */
export function Word({ value }: { value: string }) {
  const start = /^0x(?:00)*/.exec(value)?.[0] ?? "";
  return (
    <code className="mono break-all @max-[30rem]:max-w-[33.25ch]">
      {start !== "0x" && <span className="text-ink-3">{start}</span>}
      {start === "0x" ? value : value.slice(start.length)}
    </code>
  );
}
