/**
 * English texts of a page that failed, a part of the one catalogue. Apart, because every page loads what shows a
 * failure before it loads the rest, and would load the catalogue twice.
 */
export const errorMessages = {
  "error.title": "This page could not be made",
  "error.hint": "The cause was noted in the server’s log under {digest}.",
  "error.retry": "Try again",
} as const;
