/** A scrolling box for long text. The keyboard can scroll it too. */
import type { ReactNode } from "react";

export function Bytes({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <pre tabIndex={0} className={`bytes ${className}`}>
      {children}
    </pre>
  );
}
