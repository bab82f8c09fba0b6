/**
 * Shown instead of a page or list that is empty, missing or failed. It says what would be here, why it isn't, and what
 * to do next.
 */
import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/atoms/Icon";

export function Empty({
  icon,
  title,
  children,
  level = "h3",
}: {
  icon?: IconName;
  title: ReactNode;
  children?: ReactNode;
  level?: "h1" | "h2" | "h3";
}) {
  const Heading = level;
  return (
    <div className="wrap-anywhere flex flex-col items-start gap-2 px-4 pt-6 pb-7">
      {icon && <Icon name={icon} className="text-ink-3" />}
      {/* A title without an explanation is a sentence, not a heading that stands out. */}
      <Heading
        className={`${level === "h1" ? "text-20" : "text-14"} ${level === "h3" && !children ? "text-ink-2" : "font-semibold text-ink"}`}
      >
        {title}
      </Heading>
      {children && (
        <div className="flex w-full max-w-prose flex-col items-start text-balance gap-3 text-14 text-ink-2">
          {children}
        </div>
      )}
    </div>
  );
}
