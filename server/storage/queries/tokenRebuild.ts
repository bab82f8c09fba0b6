/**
 * Rebuilds the holders of the given tokens from the stored transfers. This is needed after a rewind, because a clamped
 * balance can't be computed backward.
 */
import { toBigInt, toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { Address } from "@/server/ethereum/types";
import type { ExplorerRows } from "@/server/ports/store";
import { collectTokenWrites } from "@/server/storage/queries/tokens";
import type { Row } from "@/server/storage/schema";
import type { SqlWriter } from "@/server/storage/sql";

const transfersOf = `select position, sender, recipient, amount from token_transfer
  where token = ? and position > ? order by position limit ?`;
const pageSize = 5_000;

type TransferRow = Pick<Row<"token_transfer">, "position" | "sender" | "recipient" | "amount">;

/** `holdings` are balances that holders got without a transfer. */
export async function collectTokenRebuild(
  tx: SqlWriter,
  tokens: Address[],
  holdings: NonNullable<ExplorerRows["holdings"]>,
): Promise<void> {
  await tx.write([
    { sql: "delete from token_holder where token = ?", rows: tokens.map((token) => [toBytes(token)]) },
    { sql: "delete from token where address = ?", rows: tokens.map((token) => [toBytes(token)]) },
  ]);
  for (const token of tokens) {
    const given = holdings.filter((holding) => holding.token === token);
    if (given.length > 0) await write(tx, { tokenTransfers: [], holdings: given });
    for (let after = -1; ; ) {
      const rows = await tx.all<TransferRow>(transfersOf, [toBytes(token), after, pageSize]);
      await write(tx, { tokenTransfers: rows.map((row) => toTransfer(token, row)) });
      const last = rows.at(-1);
      if (!last || rows.length < pageSize) break;
      after = last.position;
    }
  }
}

async function write(tx: SqlWriter, rows: Pick<ExplorerRows, "tokenTransfers" | "holdings">): Promise<void> {
  await tx.write(await collectTokenWrites(tx, rows));
}

/** Sets the position to zero, because the position doesn't affect balances. */
function toTransfer(token: Address, row: TransferRow): ExplorerRows["tokenTransfers"][number] {
  return {
    ...{ blockNumber: 0, index: 0, logIndex: 0, token },
    from: toHex(row.sender),
    to: toHex(row.recipient),
    amount: toBigInt(row.amount),
  };
}
