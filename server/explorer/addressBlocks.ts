/**
 * Reads an address's transactions in pages that always end at a block boundary, so a block number is enough as a
 * cursor.
 */
import type { Address } from "@/server/ethereum/types";
import type { ExplorerStore, TransactionCursor } from "@/server/ports/store";

type Row = Awaited<ReturnType<ExplorerStore["listAddressTransactions"]>>[number];

/**
 * Reads whole blocks until there are `size` transactions. `before` lists earlier blocks, newest first; `after` lists
 * later blocks, oldest first.
 */
export async function listAddressBlocks(
  index: ExplorerStore,
  address: Address,
  side: { before: number } | { after: number },
  size: number,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const limit = size + 1;
  const read = (last: TransactionCursor | undefined) =>
    "before" in side
      ? index.listAddressTransactions(address, { before: last ?? { blockNumber: side.before, index: 0 }, limit })
      : index.listLaterTransactions(address, {
          from: last
            ? { blockNumber: last.blockNumber, index: last.index + 1 }
            : { blockNumber: side.after + 1, index: 0 },
          limit,
        });
  const rows: Row[] = [];
  for (;;) {
    const more = await read(rows.at(-1));
    rows.push(...more);
    const block = rows[size - 1]?.blockNumber;
    const end = rows.findIndex(({ blockNumber }, at) => at >= size && blockNumber !== block);
    if (end !== -1) return { rows: rows.slice(0, end), hasMore: true };
    if (more.length < limit) return { rows, hasMore: false };
  }
}
