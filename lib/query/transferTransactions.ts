import { pageSize, transactionsQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";
import { toQuantity } from "@/lib/units";

/**
 * The transactions of the transfers on a page of a token's transfers. The page's cursor is a transfer, so its whole
 * block is included. If that block has very many transfers, some transactions are missing.
 */
export function transferTransactionsQuery(source: Source, token: `0x${string}`, cursor: string | undefined) {
  if (cursor === undefined) return transactionsQuery(source, undefined, pageSize, { token });
  const block = Number.parseInt(cursor, 16) || 0;
  return transactionsQuery(source, `${toQuantity(block + 1)}-0x0`, 2 * pageSize, { token });
}
