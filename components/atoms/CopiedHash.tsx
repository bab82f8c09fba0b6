/** A long hex value that has no page to link to, with a copy button. */
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";

export function CopiedHash({ value, what, characters }: { value: string; what: string; characters?: number }) {
  return (
    <span className="identifier">
      <Hash value={value} {...(characters !== undefined && { characters })} />
      <Copy value={value} what={what} />
    </span>
  );
}
