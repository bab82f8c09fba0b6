/** As many rows as one request returns. */
export const shownPending = 100;
