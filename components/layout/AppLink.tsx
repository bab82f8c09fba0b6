"use client";
/**
 * A link inside the app. It shows that a navigation is under way by its own underline, after 150 ms, and moves nothing.
 */
import Link, { useLinkStatus } from "next/link";
import type { ComponentProps } from "react";

function PendingLine() {
  const { pending } = useLinkStatus();
  return <span aria-hidden className="pending-line" data-pending={pending || undefined} />;
}

export function AppLink({ children, prefetch = false, className = "", ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={prefetch} className={`app-link ${className}`} {...props}>
      {children}
      <PendingLine />
    </Link>
  );
}
