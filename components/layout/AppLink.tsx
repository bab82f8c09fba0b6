"use client";
/**
 * A link inside the app. It shows that a navigation is under way by its own underline, after 150 ms, and moves nothing.
 * With `prefetch` the page behind it is fetched when pointer or focus come near, never before: what a visitor only
 * sees costs nothing.
 */
import Link, { useLinkStatus } from "next/link";
import { type ComponentProps, useState } from "react";

function PendingLine() {
  const { pending } = useLinkStatus();
  return <span aria-hidden className="pending-line" data-pending={pending || undefined} />;
}

export function AppLink({ children, prefetch = false, className = "", ...props }: ComponentProps<typeof Link>) {
  const [isNear, setIsNear] = useState(false);
  const onNear = prefetch ? () => setIsNear(true) : undefined;
  return (
    <Link
      prefetch={isNear && prefetch}
      onPointerEnter={onNear}
      onFocus={onNear}
      className={`app-link ${className}`}
      {...props}
    >
      {children}
      <PendingLine />
    </Link>
  );
}
