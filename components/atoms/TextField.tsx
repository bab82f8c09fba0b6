/** A labeled form field with the browser's autocomplete and autocorrect turned off. */
import type { ComponentProps, ReactNode } from "react";

export function TextField({
  label,
  className,
  ...input
}: Omit<ComponentProps<"input">, "className"> & {
  label: ReactNode;
  /** Class name of the label element, which contains the field. */
  className?: string;
}) {
  return (
    <label className={className}>
      <span className="label">{label}</span>
      <input className="field" autoComplete="off" spellCheck={false} {...input} />
    </label>
  );
}
