"use client";
/** Switches between this node's networks; keeps the section if both networks have it. */
import { usePathname } from "next/navigation";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toOtherNetworkPath } from "@/lib/links";

export type NetworkChoice = { name: string; label: string };

export function NetworkSwitch({ choices }: { choices: readonly NetworkChoice[] }) {
  const network = useNetwork();
  const path = usePathname();
  if (choices.length < 2) return <span className="label">{network.label}</span>;
  return (
    <nav aria-label="Network" className="segmented shrink-0">
      {choices.map((choice) => (
        <AppLink
          key={choice.name}
          href={toOtherNetworkPath(path, choice.name)}
          aria-current={choice.name === network.name ? "true" : undefined}
          className="no-underline"
        >
          {choice.label}
        </AppLink>
      ))}
    </nav>
  );
}
