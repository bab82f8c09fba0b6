/** A function's or event's signature. */
import { WrapText } from "@/components/atoms/WrapText";

export function SignatureText({ signature }: { signature: string }) {
  return (
    <code className="mono wrap-anywhere">
      <WrapText text={signature} />
    </code>
  );
}
