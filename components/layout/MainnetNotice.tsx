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
  const [first, ...others] = warning.split(/(?<=\.) /);
  return (
    <p className="notice notice-warn items-start">
      <Icon name="alert" className="mt-1 text-warn" />
      <span>
        <strong className="font-semibold">{first}</strong> {others.join(" ")}
      </span>
    </p>
  );
}
