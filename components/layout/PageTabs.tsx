"use client";
/** Tabs for an item's views. They are links, so each view has its own URL. The row scrolls on narrow screens. */
import { usePathname } from "next/navigation";
import { AppLink } from "@/components/layout/AppLink";

export type PageTab = {
  label: string;
  path: string;
  count?: number | string | undefined;
  /** Set on the tab that the r key opens. */
  isRaw?: boolean;
  /** Why the view has nothing yet. Its tab is then fainter. */
  pending?: string | undefined;
};

export function PageTabs({ tabs, label = "Views" }: { tabs: PageTab[]; label?: string }) {
  // Compares in lowercase, because an address in the URL may have any letter case.
  const here = usePathname().toLowerCase();
  return (
    <div className="border-line border-b">
      <nav
        aria-label={label}
        // Some rows are smaller, so that they fit: the eight views of a contract on tablets, and the six of a transaction on
        // phones. Longer rows scroll on phones.
        className="tab-row flex scroll-px-12 gap-5 overflow-x-auto text-14 text-ink-2 [scrollbar-width:thin] max-lg:gap-3.5 md:max-lg:has-[>:nth-child(8)]:gap-3 md:max-lg:has-[>:nth-child(8)]:text-13 max-sm:has-[>:nth-child(6):last-child]:gap-2 max-sm:has-[>:nth-child(6):last-child]:text-13"
      >
        {tabs.map(({ label, path, count, isRaw, pending }, index) => (
          <AppLink
            key={path}
            href={path}
            scroll={false}
            data-tab={index + 1}
            data-label={label}
            data-raw={isRaw || undefined}
            title={pending}
            // On a phone, the row of tabs is cut off, so the current tab is scrolled into view, clear of the fading end.
            className={`flex-none border-transparent border-b-2 py-2 no-underline hover:text-ink focus-visible:-outline-offset-2 aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink [&[aria-current]:nth-child(n+3)]:[scroll-initial-target:nearest] ${pending ? "text-ink-3" : ""}`}
            aria-current={here === path.toLowerCase() ? "page" : undefined}
          >
            {/* Reserves the width of the current tab's bolder label, so that the tabs stay in place. */}
            <span
              data-text={label}
              className="inline-grid after:invisible after:h-0 after:overflow-hidden after:font-medium after:content-[attr(data-text)]"
            >
              {label}
            </span>
            {count !== undefined && <span className="ml-1.5 text-12 text-ink-3 leading-5 max-lg:ml-1">{count}</span>}
          </AppLink>
        ))}
      </nav>
    </div>
  );
}
