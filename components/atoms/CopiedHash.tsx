/** A long hex value that has no page to link to, with a copy button. */
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";

export function CopiedHash({ value, what }: { value: string; what: string }) {
  return (
    <span className="identifier">
      <Hash value={value} />
      <Copy value={value} what={what} />
    </span>
  );
}
