/**
 * Scrolls to an element if it starts above the visible area or in its lower half, which happens in a one-column layout.
 */
export function showInView(element: Element | null | undefined): void {
  const topPx = element?.getBoundingClientRect().top ?? 0;
  if (topPx < 0 || topPx > window.innerHeight / 2) element?.scrollIntoView({ block: "start" });
}
