"use client";
/** The live region that announcer.ts writes to. */
import { useSyncExternalStore } from "react";
import { findAnnouncement, subscribeAnnouncements } from "@/components/layout/announcer";

export function Announcer() {
  const message = useSyncExternalStore(subscribeAnnouncements, findAnnouncement, () => "");
  return (
    <div aria-live="polite" className="sr-only">
      {message}
    </div>
  );
}
