/** The path where a page posts a flow to be recorded, and the number of records that are kept for each network. */

export const exchangesPath = "/api/playground/exchanges";
export type RecordedExchange = { id: string };

/** Pages and the README mention this number too. */
export const maxExchanges = 1_000;

export function isRecordId(text: string): boolean {
  return /^[a-z0-9]{12}$/.test(text);
}
