"use client";
/** The header of every page: network, navigation and search. */
import { usePathname } from "next/navigation";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { NetworkSwitch } from "@/components/layout/NetworkSwitch";
import { ThemeToggle } from "@/components/layout/ThemeToggle";
import type { Theme } from "@/components/layout/theme";
import { Wordmark } from "@/components/layout/Wordmark";
import { Search } from "@/components/search/Search";
import { WalletButton } from "@/components/wallet/WalletButton";
import { toHomePath, toSectionPath } from "@/lib/links";
import type { PageNetwork } from "@/lib/networks";

const sections = [
  { section: "blocks", label: "Blocks", detail: "block" },
  { section: "txs", label: "Transactions", detail: "tx" },
  { section: "txpool", label: "Pool", detail: undefined },
  { section: "payments", label: "Payments", detail: undefined },
  { section: "playground", label: "Playground", detail: undefined },
  { section: "resources", label: "Resources", detail: undefined },
  { section: "console", label: "Console", detail: undefined },
] as const;

export function Header({ theme, networks }: { theme: Theme; networks: readonly [PageNetwork, ...PageNetwork[]] }) {
  const network = useNetwork();
  const path = usePathname();
  const home = toHomePath(network.name);
  const here = path.split("/")[2];
  return (
    <header className="border-line border-b bg-surface max-sm:[&_.button]:px-2">
      <div className="page-width flex flex-wrap items-center gap-x-2 gap-y-2 sm:gap-x-5 py-2">
        <AppLink href={home} className="no-underline" prefetch>
          <Wordmark />
        </AppLink>
        <NetworkSwitch choices={networks} />
        <nav
          aria-label="Sections"
          className="order-last flex w-full gap-5 overflow-x-auto text-14 text-ink-2 [scrollbar-width:none] max-sm:gap-2.5 max-sm:text-13 xl:order-none xl:w-auto"
        >
          {sections.map(({ section, label, detail }) => (
            <AppLink
              key={section}
              href={toSectionPath(network.name, section)}
              prefetch
              aria-current={here === section ? "page" : here !== undefined && here === detail ? "true" : undefined}
              // On a phone, the row shows only five sections, so if the current one comes later, it is scrolled into
              // view.
              className="flex-none py-1 no-underline hover:text-ink aria-[current]:text-ink aria-[current]:shadow-[inset_0_-2px_0_var(--ink)] [&[aria-current]:nth-child(n+6)]:[scroll-initial-target:nearest]"
            >
              {label}
            </AppLink>
          ))}
        </nav>
        <div
          className={`order-last min-w-0 flex-1 basis-full sm:order-none sm:basis-40 ${path === home ? "max-sm:hidden" : ""}`}
        >
          {path !== home && (
            <div className="ml-auto lg:max-w-md">
              <Search />
            </div>
          )}
        </div>
        <div className="ml-auto flex items-center gap-1">
          <button
            type="button"
            data-opens="keys"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            className="icon-button size-8 max-sm:hidden"
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

/** A button that opens a dialog of the frame by name, from any page. */
export function DialogButton({ opens, label }: { opens: "keys" | "requests"; label: string }) {
  return (
    <button type="button" data-opens={opens} className="button">
      <Icon name="request" />
      {label}
    </button>
  );
}
