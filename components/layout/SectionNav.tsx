"use client";
/** The header's links to sections. Links that don't fit are in a menu, which works without scripts. */
import { usePathname } from "next/navigation";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { type Section, toSectionPath } from "@/lib/links";

type Place = {
  section: Section;
  label: string;
  /** The path segment of the section's detail pages. */
  detail?: string;
  /**
   * Classes that hide the link at some widths. At every width, the link is either in the row or in the menu: `row` hides
   * it in the row, and `menu` hides it in the menu.
   */
  row?: string;
  menu?: string;
  /** Classes that mark the menu's button as current at the widths at which the link is in the menu. */
  more?: string;
};

// At widths of 64rem and more, the row is on the same line as the search field, so it has less room.
const wide = {
  row: "max-sm:hidden min-[64rem]:max-[80rem]:hidden",
  menu: "sm:max-[64rem]:hidden min-[80rem]:hidden",
  more: "max-sm:text-ink max-sm:shadow-[inset_0_-2px_0_var(--ink)] min-[64rem]:max-[80rem]:text-ink min-[64rem]:max-[80rem]:shadow-[inset_0_-2px_0_var(--ink)]",
};
const roomy = {
  row: "max-sm:hidden min-[64rem]:max-xl:hidden",
  menu: "sm:max-[64rem]:hidden xl:hidden",
  more: "max-sm:text-ink max-sm:shadow-[inset_0_-2px_0_var(--ink)] min-[64rem]:max-xl:text-ink min-[64rem]:max-xl:shadow-[inset_0_-2px_0_var(--ink)]",
};
// The narrowest phones have room for three links and the menu.
const narrow = {
  row: "max-[22rem]:hidden",
  menu: "min-[22rem]:hidden",
  more: "max-[22rem]:text-ink max-[22rem]:shadow-[inset_0_-2px_0_var(--ink)]",
};

/** The sections in the header's row, in order. */
export const rowPlaces: readonly Place[] = [
  { section: "blocks", label: "Blocks", detail: "block" },
  { section: "txs", label: "Transactions", detail: "tx", ...narrow },
  { section: "payments", label: "Payments" },
  { section: "playground", label: "Playground", detail: "flow" },
  { section: "console", label: "Console", ...roomy },
  { section: "docs", label: "Docs", ...wide },
];
const menuPlaces: Place[] = [
  { section: "tokens", label: "Tokens", detail: "token" },
  { section: "resources", label: "Paid resources" },
  { section: "txpool", label: "Pool" },
  { section: "charts", label: "Charts" },
  { section: "node", label: "Node" },
];
const embeddedPlaces: Place[] = [
  { section: "accounts", label: "Test accounts" },
  { section: "tools", label: "Developer tools" },
];

const menuId = "section-menu";
const rowClass =
  "py-1 no-underline hover:text-ink aria-[current]:text-ink aria-[current]:shadow-[inset_0_-2px_0_var(--ink)]";

export function SectionNav() {
  const { name, embedded } = useNetwork();
  const path = usePathname();
  const here = path.split("/")[2];
  const others = embedded ? [...menuPlaces, ...embeddedPlaces] : menuPlaces;
  const toCurrent = ({ section, detail }: Place) =>
    here === section ? "page" : here !== undefined && here === detail ? "true" : undefined;
  const isElsewhere = others.some(toCurrent);
  const more = rowPlaces.find(toCurrent)?.more ?? "";
  return (
    <nav
      aria-label="Sections"
      className="order-last flex w-full items-center justify-between gap-x-2 text-13 text-ink-2 min-[64rem]:order-none min-[64rem]:w-auto sm:justify-start sm:gap-x-5 sm:text-14 min-[64rem]:gap-x-4 xl:gap-x-5"
    >
      {rowPlaces.map((place) => (
        <AppLink
          key={place.section}
          href={toSectionPath(name, place.section)}
          prefetch
          aria-current={toCurrent(place)}
          className={`flex-none ${rowClass} ${place.row ?? ""}`}
        >
          {place.label}
        </AppLink>
      ))}
      <button
        type="button"
        popoverTarget={menuId}
        aria-current={isElsewhere ? "true" : undefined}
        className={`inline-flex flex-none items-center gap-0.5 ${rowClass} ${more}`}
      >
        <span className="max-[26rem]:sr-only">More</span>
        <span aria-hidden className="min-w-6 text-center min-[26rem]:hidden">
          •••
        </span>
        <Icon name="down" className="max-[26rem]:hidden" />
      </button>
      {/* The menu is remounted on each page, so it closes after a navigation. */}
      <ul
        key={path}
        id={menuId}
        popover="auto"
        className="m-0 mt-1 max-h-[70dvh] min-w-40 overflow-auto rounded-md border border-float bg-surface py-1 text-13 text-ink shadow-float [inset:auto] [position-area:block-end_span-inline-start]"
      >
        {[...rowPlaces.filter(({ menu }) => menu !== undefined), ...others].map((place) => (
          <li key={place.section} className={place.menu}>
            <AppLink
              href={toSectionPath(name, place.section)}
              aria-current={toCurrent(place)}
              className="flex items-center justify-between gap-4 px-3 py-1.5 no-underline hover:bg-lit focus-visible:bg-lit"
            >
              {place.label}
              {toCurrent(place) && <Icon name="check" />}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
