"use client";
/**
 * A warning on pages about keys and payments. It says that signatures made for this simulation are also valid on a real
 * chain.
 */
import { useNetwork } from "@/components/layout/NetworkContext";
import { findMainnetWarning } from "@/lib/networks";

export function MainnetNotice() {
  const warning = findMainnetWarning(useNetwork());
  return warning && <p className="notice notice-warn">{warning}</p>;
}
