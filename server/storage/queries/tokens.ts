/**
 * Stores tokens and their holders. Balances are computed from transfers in chain order and clamped between zero and
 * 2^256 - 1, because a token's transfers may exceed what it issued.
 */
import { toBigInt, toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { Address } from "@/server/ethereum/types";
import type { ExplorerRows, ExplorerStore } from "@/server/ports/store";
import { toBig } from "@/server/storage/columns";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlValue, SqlWrite } from "@/server/storage/sql";

const zeroAddress: Address = `0x${"00".repeat(20)}`;
const maxWord = 2n ** 256n - 1n;

const figures = "select holders, transfers from token where address = ?";
const tokens = "select address, holders, transfers from token order by holders desc, address desc limit ?";
const tokensBefore = `select address, holders, transfers from token where (holders, address) < (?, ?)
  order by holders desc, address desc limit ?`;
const holder = "select balance from token_holder where token = ? and address = ?";
const holders = "select address, balance from token_holder where token = ? order by balance desc, address desc limit ?";
const holdersBefore = `select address, balance from token_holder where token = ? and (balance, address) < (?, ?)
  order by balance desc, address desc limit ?`;
const holdings = `select token, balance from token_holder where address = ? and token > ? order by token limit ?`;

type HolderRow = Pick<Row<"token_holder">, "address" | "balance">;
type HoldingRow = Pick<Row<"token_holder">, "token" | "balance">;
type FiguresRow = Pick<Row<"token">, "holders" | "transfers">;

/** Reads tokens and holders. */
export function createTokenStore(
  sql: SqlReader,
): Pick<ExplorerStore, "findTokenFigures" | "listTokens" | "listHolders" | "listHoldings"> {
  return {
    async listTokens({ before, limit }) {
      const rows = before
        ? await sql.all<Row<"token">>(tokensBefore, [before.holders, toBytes(before.token), limit])
        : await sql.all<Row<"token">>(tokens, [limit]);
      return rows.map(({ address, holders, transfers }) => ({ token: toHex(address), holders, transfers }));
    },
    findTokenFigures: (token) => sql.get<FiguresRow>(figures, [toBytes(token)]),
    async listHolders(token, { before, limit }) {
      const rows = before
        ? await sql.all<HolderRow>(holdersBefore, [toBytes(token), toBig(before.units), toBytes(before.address), limit])
        : await sql.all<HolderRow>(holders, [toBytes(token), limit]);
      return rows.map(({ address, balance }) => ({ address: toHex(address), units: toBigInt(balance) }));
    },
    async listHoldings(address, { after, limit }) {
      // An empty blob sorts before every token address.
      const from = after ? toBytes(after) : new Uint8Array(0);
      const rows = await sql.all<HoldingRow>(holdings, [toBytes(address), from, limit]);
      return rows.map(({ token, balance }) => ({ token: toHex(token), units: toBigInt(balance) }));
    },
  };
}

type Balances = Map<Address, { before: bigint; now: bigint }>;

/** Creates the rows that result from a block's transfers and the genesis balances. */
export async function collectTokenWrites(
  sql: SqlReader,
  rows: Pick<ExplorerRows, "holdings" | "tokenTransfers">,
): Promise<SqlWrite[]> {
  const tokens = new Map<Address, { transfers: number; balances: Balances }>();
  const open = async (token: Address, address: Address): Promise<{ before: bigint; now: bigint }> => {
    const entry = tokens.get(token) ?? { transfers: 0, balances: new Map() };
    tokens.set(token, entry);
    const known = entry.balances.get(address);
    if (known) return known;
    const row = await sql.get<{ balance: Uint8Array }>(holder, [toBytes(token), toBytes(address)]);
    const before = row ? toBigInt(row.balance) : 0n;
    const balance = { before, now: before };
    entry.balances.set(address, balance);
    return balance;
  };
  for (const { token, address, units } of rows.holdings ?? []) {
    const balance = await open(token, address);
    balance.now = clamp(balance.now + units);
  }
  for (const { token, from, to, amount } of rows.tokenTransfers) {
    // The zero address represents minting and burning, so it holds nothing.
    if (from !== zeroAddress) {
      const balance = await open(token, from);
      balance.now = clamp(balance.now - amount);
    }
    if (to !== zeroAddress) {
      const balance = await open(token, to);
      balance.now = clamp(balance.now + amount);
    }
    const entry = tokens.get(token) ?? { transfers: 0, balances: new Map() };
    tokens.set(token, entry);
    entry.transfers += 1;
  }
  const put: SqlValue[][] = [];
  const gone: SqlValue[][] = [];
  const counted: SqlValue[][] = [];
  for (const [token, { transfers, balances }] of tokens) {
    const key = toBytes(token);
    const stored = await sql.get<FiguresRow>(figures, [key]);
    let count = stored?.holders ?? 0;
    for (const [address, { before, now }] of balances) {
      if (before === 0n && now > 0n) count += 1;
      if (before > 0n && now === 0n) count -= 1;
      if (now > 0n && now !== before) put.push([key, toBytes(address), toBig(now)]);
      if (now === 0n && before > 0n) gone.push([key, toBytes(address)]);
    }
    counted.push([key, count, (stored?.transfers ?? 0) + transfers]);
  }
  return [
    { sql: "delete from token_holder where token = ? and address = ?", rows: gone },
    { sql: toInsert("token_holder", "replace"), rows: put },
    { sql: toInsert("token", "replace"), rows: counted },
  ];
}

function clamp(units: bigint): bigint {
  return units < 0n ? 0n : units > maxWord ? maxWord : units;
}
