/** A function's or event's signature. Long signatures wrap after a comma. */
import { Fragment } from "react";

export function SignatureText({ signature }: { signature: string }) {
  const parts = signature.split(/(?<=,)/);
  return (
    <code className="mono wrap-anywhere">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Fragment key={index}>
          {part}
          {index < parts.length - 1 && <wbr />}
        </Fragment>
      ))}
    </code>
  );
}
