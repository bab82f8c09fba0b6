"use client";
/**
 * Switches between this node's networks. It stays in the same section if the other network has that section. The menu
 * works without scripts.
 */
import { usePathname, useSearchParams } from "next/navigation";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toOtherNetworkPath } from "@/lib/links";
import type { NetworkChoice } from "@/lib/networks";

const menuId = "network-menu";

export function NetworkSwitch({ choices }: { choices: readonly NetworkChoice[] }) {
  const network = useNetwork();
  const path = usePathname();
  const search = useSearchParams().toString();
  if (choices.length < 2) return <span className="label">{network.label}</span>;
  return (
    <nav aria-label="Network" className="shrink-0">
      <button type="button" popoverTarget={menuId} className="button">
        {network.label}
        <Icon name="down" />
      </button>
      {/* The menu is remounted on each page, so it closes after a navigation. */}
      <ul
        key={path}
        id={menuId}
        popover="auto"
        className="m-0 mt-1 max-h-[70dvh] min-w-40 overflow-auto rounded-md border border-float bg-surface py-1 text-13 text-ink shadow-float [inset:auto] [position-area:block-end_span-inline-end]"
      >
        {choices.map((choice) => (
          <li key={choice.name}>
            <AppLink
              href={toOtherNetworkPath(path, choice, search)}
              aria-current={choice.name === network.name ? "true" : undefined}
              className="flex items-center justify-between gap-4 px-3 py-1.5 no-underline hover:bg-lit focus-visible:bg-lit"
            >
              {choice.label}
              {choice.name === network.name && <Icon name="check" />}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
