/**
 * Selectors of the view functions that token pages call. They are plain data, so the server and the browser can both
 * use them.
 */
export const selectors = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  version: "0x54fd4d50",
  domainSeparator: "0x3644e515",
} as const;
