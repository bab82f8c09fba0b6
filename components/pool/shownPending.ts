/** The maximum number of rows per request. */
export const shownPending = 100;
