"use client";
/**
 * A link inside the app that needs a quarter of the JavaScript of Next's own link. If a navigation takes longer than
 * 150 ms, the underline shows that it is pending. With `prefetch`, hovering over or focusing the link fetches the page.
 */
import { useRouter } from "next/navigation";
import { type ComponentProps, type MouseEvent, useTransition } from "react";

type Props = Omit<ComponentProps<"a">, "href"> & {
  href: string;
  prefetch?: boolean;
  /** Whether to scroll to the top of the new page. */
  scroll?: boolean;
  /** Omits the underline and the pending state, for links with another style. */
  bare?: boolean;
};

/** Prefetches the whole response for the page, not only its static part. */
const whole = { kind: "full" } as Parameters<ReturnType<typeof useRouter>["prefetch"]>[1];

/** Whether to leave the click to the browser, which then opens a new tab or window or downloads a file. */
export function isForBrowser(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
  return isModified || (link.target !== "" && link.target !== "_self") || link.hasAttribute("download");
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
        if (event.defaultPrevented || isForBrowser(event, event.currentTarget)) return;
        event.preventDefault();
        startTransition(() => router.push(href, { scroll }));
      }}
    >
      {children}
      {!bare && <span aria-hidden className="pending-line" data-pending={isPending || undefined} />}
    </a>
  );
}
