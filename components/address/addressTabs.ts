import type { Direction } from "@/lib/rpc/explorerAddressShapes";

/** The views of an address and their tab labels. */
export const addressTabs = {
  transactions: "Transactions",
  transfers: "Token transfers",
  internal: "Internal transactions",
  holdings: "Holdings",
  logs: "Logs",
  code: "Code",
  contract: "Read and write",
  storage: "Storage",
};

export type AddressView = keyof typeof addressTabs;

/** The filters for an address's transactions. */
export const directions: readonly Direction[] = ["in", "out", "self", "created", "internal", "token"];
