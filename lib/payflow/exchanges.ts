/** Where a page posts a flow to be recorded, and how many records a network keeps. */

export const exchangesPath = "/api/playground/exchanges";
export type RecordedExchange = { id: string };

/** Pages and the README also state this number. */
export const maxExchanges = 1_000;

export function isRecordId(text: string): boolean {
  return /^[a-z0-9]{12}$/.test(text);
}
