/** A search result's label and target. */
import { toAddressPath, toBlockPath, toTransactionPath } from "@/lib/links";
import type { SearchResult } from "@/lib/query/wire";

export const resultKinds: Record<SearchResult["kind"], string> = {
  block: "Block",
  transaction: "Transaction",
  address: "Address",
  pending: "Pending",
};

export function toResultPath(network: string, result: SearchResult): string {
  switch (result.kind) {
    case "block":
      return toBlockPath(network, result.id);
    case "address":
      return toAddressPath(network, result.id);
    case "transaction":
    case "pending":
      return toTransactionPath(network, result.id);
  }
}
