"use client";
/** The header of every page: network, navigation and search. */
import { usePathname, useSearchParams } from "next/navigation";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { NetworkSwitch } from "@/components/layout/NetworkSwitch";
import { SectionNav } from "@/components/layout/SectionNav";
import { ThemeToggle } from "@/components/layout/ThemeToggle";
import type { Theme } from "@/components/layout/theme";
import { Wordmark } from "@/components/layout/Wordmark";
import { Search } from "@/components/search/Search";
import { WalletButton } from "@/components/wallet/WalletButton";
import { toHomePath } from "@/lib/links";
import type { PageNetwork } from "@/lib/networks";

export function Header({ theme, networks }: { theme: Theme; networks: readonly [PageNetwork, ...PageNetwork[]] }) {
  const network = useNetwork();
  const query = useSearchParams().get("q") ?? "";
  const here = usePathname().split("/")[2];
  return (
    <header className="border-line border-b bg-surface max-sm:[&_.button]:px-2">
      <div className="page-width relative flex flex-wrap items-center gap-x-2 gap-y-1 max-[22rem]:gap-x-1 sm:gap-x-4 xl:gap-x-5 py-2 max-sm:pb-1">
        <AppLink href={toHomePath(network.name)} className="no-underline" prefetch>
          <Wordmark />
        </AppLink>
        <NetworkSwitch choices={networks} />
        <SectionNav />
        <div className="min-w-11 flex-1 sm:min-w-0 sm:basis-28">
          {/* On phones, the field covers the whole line while it has the focus. */}
          <div className="ml-auto max-sm:focus-within:absolute max-sm:focus-within:inset-x-4 max-sm:focus-within:top-2 max-sm:focus-within:z-20 lg:max-w-md">
            <Search initial={here === "search" ? query.trim() : ""} />
          </div>
        </div>
        <div className="ml-auto flex items-center gap-1">
          <button
            type="button"
            data-opens="keys"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            className="icon-button size-8 max-sm:hidden min-[64rem]:max-xl:hidden"
          >
            <kbd aria-hidden className="key">
              ?
            </kbd>
          </button>
          <ThemeToggle initial={theme} />
          <WalletButton networks={networks} />
        </div>
      </div>
      {here === undefined && <span className="sr-only">{network.label}</span>}
    </header>
  );
}

/** A button that opens one of the layout's dialogs by name. Any page can use it. */
export function DialogButton({ opens, label }: { opens: "keys" | "requests"; label: string }) {
  return (
    <button type="button" data-opens={opens} className="button">
      <Icon name="request" />
      {label}
    </button>
  );
}
