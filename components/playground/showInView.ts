/**
 * Scrolls to an element if it starts above the visible area or in its lower half, which happens in a one-column layout.
 */
export function showInView(element: Element | null | undefined): void {
  const topPx = element?.getBoundingClientRect().top ?? 0;
  if (topPx < 0 || topPx > window.innerHeight / 2) element?.scrollIntoView({ block: "start" });
}

/** Scrolls down until the end of an element is in view, but keeps the start of `whole` in view. */
export function showBottom(element: Element | null | undefined, whole: Element | null | undefined): void {
  const marginPx = 16;
  const hiddenPx = (element?.getBoundingClientRect().bottom ?? 0) + marginPx - window.innerHeight;
  const roomPx = (whole?.getBoundingClientRect().top ?? 0) - marginPx;
  const shiftPx = Math.min(hiddenPx, roomPx);
  if (shiftPx > 0) window.scrollBy(0, shiftPx);
}
