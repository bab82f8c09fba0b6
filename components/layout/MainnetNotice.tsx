"use client";
/**
 * A warning on pages about keys and payments. It says that signatures made for this simulation are also valid on a real
 * chain.
 */
import { Icon } from "@/components/atoms/Icon";
import { useNetwork } from "@/components/layout/NetworkContext";
import { findMainnetWarning } from "@/lib/networks";

export function MainnetNotice() {
  const warning = findMainnetWarning(useNetwork());
  if (warning === undefined) return null;
  const [start, danger, end] = warning.split(/(also valid on [^.]+)/);
  return (
    <p className="notice notice-warn items-start">
      <Icon name="alert" className="mt-1 text-warn" />
      <span>
        {start}
        <strong className="font-semibold">{danger}</strong>
        {end}
      </span>
    </p>
  );
}
