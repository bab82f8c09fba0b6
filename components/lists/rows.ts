/**
 * Moves the focus through the rows of all lists on a page by keyboard. Focusing a row focuses its first link, so that
 * Enter opens the link and the list stops moving. If a row has no link, the row itself gets the focus.
 */

const rowSelector = "main .data-table tbody tr, main [data-row]";

/** Focuses the row below (1) or above (-1) the focused row. If no row is focused, focuses the first visible one. */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(rowSelector)].filter((row) => row.offsetParent !== null);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const target =
    at < 0
      ? (rows.find((row) => row.getBoundingClientRect().top >= 0) ?? rows[0])
      : rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  if (!target) return;
  const link = target.querySelector<HTMLElement>("a[href]");
  if (!link) target.tabIndex = -1;
  (link ?? target).focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
}
