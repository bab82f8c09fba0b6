"use client";
/** Shown for an unknown path inside a network. The header, ruler and search stay visible. */
import { lazy } from "react";

/** Every page loads this file, so the content is loaded only when it is shown. */
const Missing = lazy(async () => ({ default: (await import("@/components/layout/Missing")).Missing }));

export default function NetworkNotFound() {
  return <Missing />;
}
