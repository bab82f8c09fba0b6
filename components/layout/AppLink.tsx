"use client";
/**
 * A link inside the app: an anchor whose plain click goes by the router. It shows that a navigation is under way by its
 * own underline, after 150 ms, and moves nothing. With `prefetch` the page behind it is fetched when pointer or focus
 * come near, never before: what a visitor only sees costs nothing. Next's own link would do the same for four times the
 * script, most of it for watching links that come into view.
 */
import { useRouter } from "next/navigation";
import { type ComponentProps, type MouseEvent, useTransition } from "react";

type Props = Omit<ComponentProps<"a">, "href"> & {
  href: string;
  prefetch?: boolean;
  /** Whether the new page begins at its top. */
  scroll?: boolean;
  /** Neither underlined nor showing that it is under way: for links drawn as something else. */
  bare?: boolean;
};

/** All that the page answers, and not only the part that is the same for everybody. */
const whole = { kind: "full" } as Parameters<ReturnType<typeof useRouter>["prefetch"]>[1];

/** A click that the browser answers by itself: another tab, a window, a download. */
function isForBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget;
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
  return isModified || (target !== "" && target !== "_self") || event.currentTarget.hasAttribute("download");
}

export function AppLink({
  href,
  children,
  prefetch = false,
  scroll = true,
  bare = false,
  className = "",
  onClick,
  ...props
}: Props) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const onNear = prefetch ? () => router.prefetch(href, whole) : undefined;
  return (
    <a
      href={href}
      onPointerEnter={onNear}
      onFocus={onNear}
      className={bare ? className : `app-link ${className}`}
      {...props}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || isForBrowser(event)) return;
        event.preventDefault();
        startTransition(() => router.push(href, { scroll }));
      }}
    >
      {children}
      {!bare && <span aria-hidden className="pending-line" data-pending={isPending || undefined} />}
    </a>
  );
}
