/**
 * Stores NFTs (ERC-721 and ERC-1155) and their holders, computed from transfers in chain order. Holdings are clamped at
 * zero, because more tokens may be transferred than were issued.
 */
import { toBigInt, toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { Address } from "@/server/ethereum/types";
import type { ExplorerRows, ExplorerStore } from "@/server/ports/store";
import { toBig, toPosition } from "@/server/storage/columns";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlValue, SqlWrite, SqlWriter } from "@/server/storage/sql";

const zeroAddress: Address = `0x${"00".repeat(20)}`;
const maxWord = 2n ** 256n - 1n;

const holding = "select amount from nft_holding where address = ? and token = ? and token_id = ?";
const holdings = `select token, token_id, amount from nft_holding
  where address = ? and (token, token_id) > (?, ?) order by token, token_id limit ?`;
const transfersOf = `select position, token, token_id, sender, recipient, amount from nft_transfer
  where token = ? and position > ? order by position limit ?`;
const rebuildRows = 5_000;

type TransferRow = Row<"nft_transfer">;
type Transfer = Omit<ExplorerRows["nftTransfers"][number], "blockNumber" | "sequence">;

export function createNftStore(sql: SqlReader): Pick<ExplorerStore, "listNfts"> {
  return {
    async listNfts(address, { after, limit }) {
      // An empty blob sorts before every token address.
      const from = after ? [toBytes(after.token), toBig(after.tokenId)] : [new Uint8Array(0), new Uint8Array(0)];
      const rows = await sql.all<Omit<Row<"nft_holding">, "address">>(holdings, [toBytes(address), ...from, limit]);
      return rows.map((row) => ({
        token: toHex(row.token),
        tokenId: toBigInt(row.token_id),
        amount: toBigInt(row.amount),
      }));
    },
  };
}

/** Creates the rows that result from a block's NFT transfers. */
export async function collectNftWrites(sql: SqlReader, transfers: ExplorerRows["nftTransfers"]): Promise<SqlWrite[]> {
  return [
    {
      sql: toInsert("nft_transfer", "fail"),
      rows: transfers.map((row) => [
        toPosition(row.blockNumber, row.sequence),
        toBytes(row.token),
        toBig(row.tokenId),
        toBytes(row.from),
        toBytes(row.to),
        toBig(row.amount),
      ]),
    },
    ...(await collectHoldingWrites(sql, transfers)),
  ];
}

/** Recomputes the holdings of some tokens from the stored transfers. */
export async function rebuildNftHoldings(tx: SqlWriter, tokens: { token: Uint8Array }[]): Promise<void> {
  await tx.write([{ sql: "delete from nft_holding where token = ?", rows: tokens.map(({ token }) => [token]) }]);
  for (const { token } of tokens) {
    for (let after = -1; ; ) {
      const rows = await tx.all<TransferRow>(transfersOf, [token, after, rebuildRows]);
      await tx.write(await collectHoldingWrites(tx, rows.map(fromTransferRow)));
      const last = rows.at(-1);
      if (!last || rows.length < rebuildRows) break;
      after = last.position;
    }
  }
}

function fromTransferRow(row: TransferRow): Transfer {
  return {
    token: toHex(row.token),
    tokenId: toBigInt(row.token_id),
    from: toHex(row.sender),
    to: toHex(row.recipient),
    amount: toBigInt(row.amount),
  };
}

async function collectHoldingWrites(sql: SqlReader, transfers: readonly Transfer[]): Promise<SqlWrite[]> {
  const held = new Map<string, { key: SqlValue[]; amount: bigint }>();
  const move = async (address: Address, { token, tokenId }: Transfer, units: bigint) => {
    // The zero address represents minting and burning, so it holds nothing.
    if (address === zeroAddress) return;
    const name = `${address}${token}${tokenId}`;
    const known = held.get(name);
    const key = known?.key ?? [toBytes(address), toBytes(token), toBig(tokenId)];
    const stored = known ? undefined : await sql.get<{ amount: Uint8Array }>(holding, key);
    const before = known?.amount ?? (stored ? toBigInt(stored.amount) : 0n);
    const now = before + units;
    held.set(name, { key, amount: now < 0n ? 0n : now > maxWord ? maxWord : now });
  };
  for (const transfer of transfers) {
    await move(transfer.from, transfer, -transfer.amount);
    await move(transfer.to, transfer, transfer.amount);
  }
  const all = [...held.values()];
  return [
    {
      sql: "delete from nft_holding where address = ? and token = ? and token_id = ?",
      rows: all.filter(({ amount }) => amount === 0n).map(({ key }) => key),
    },
    {
      sql: toInsert("nft_holding", "replace"),
      rows: all.filter(({ amount }) => amount > 0n).map(({ key, amount }) => [...key, toBig(amount)]),
    },
  ];
}
