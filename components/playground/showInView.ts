/**
 * Scrolls to an element if it starts above the visible area or in its lower half, which happens in a one-column layout.
 */
export function showInView(element: Element | null | undefined): void {
  const topPx = element?.getBoundingClientRect().top ?? 0;
  if (topPx < 0 || topPx > window.innerHeight / 2) element?.scrollIntoView({ block: "start" });
}

/** Scrolls a box, but not the page, down to an element inside it. A sticky heading of the box stays in view. */
export function showInBox(box: Element | null, element: Element | null | undefined): void {
  if (!box || !element) return;
  const marginPx = 16;
  const hiddenPx = element.getBoundingClientRect().bottom + marginPx - box.getBoundingClientRect().bottom;
  if (hiddenPx > 0) box.scrollTop += hiddenPx;
}
