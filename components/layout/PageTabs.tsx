"use client";
/**
 * The views of one thing as links, so that each has its own URL. The current one is marked; narrow screens scroll them.
 */
import { usePathname } from "next/navigation";
import { AppLink } from "@/components/layout/AppLink";

export type PageTab = { label: string; path: string };

export function PageTabs({ tabs }: { tabs: PageTab[] }) {
  const here = usePathname();
  return (
    <nav aria-label="Views" className="page-tabs">
      {tabs.map(({ label, path }, index) => (
        <AppLink
          key={path}
          href={path}
          scroll={false}
          data-tab={index + 1}
          data-label={label}
          className="no-underline"
          aria-current={here === path ? "page" : undefined}
        >
          {label}
        </AppLink>
      ))}
    </nav>
  );
}
