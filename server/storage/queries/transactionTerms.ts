/**
 * Reads filtered lists of transactions. A term consists of a kind byte and a value, and its transactions are a range in
 * one index. A filter is a list of groups of terms: rows come from the ranges of the first group, and are checked
 * against the other groups.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { ExplorerRows, TransactionFilter, TransactionTerm } from "@/server/ports/store";
import { toPosition } from "@/server/storage/columns";
import { joinBlock, type MinedRow, minedColumns } from "@/server/storage/queries/mined";
import { toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlWrite } from "@/server/storage/sql";

/** The kind bytes are part of the database format. */
function toTermBytes(term: TransactionTerm): Uint8Array {
  if (term === "failed") return new Uint8Array([0]);
  if (term === "payment") return new Uint8Array([1]);
  if (term === "creation") return new Uint8Array([2]);
  return "method" in term ? new Uint8Array([3, ...toBytes(term.method)]) : new Uint8Array([4, ...toBytes(term.token)]);
}

const places = (terms: readonly unknown[]) => terms.map(() => "?").join(", ");

/** Lists transactions strictly below the position, newest first. An empty group matches nothing. */
export async function listFiltered(
  sql: SqlReader,
  filter: TransactionFilter,
  before: number,
  limit: number,
): Promise<MinedRow[]> {
  const [first = [], ...others] = filter;
  if (filter.some((group) => group.length === 0)) return [];
  const checks = others.map(
    (group) =>
      `and exists (select 1 from transaction_term o where o.term in (${places(group)}) and o.position = f.position)`,
  );
  const query = `select ${minedColumns} from transaction_term f
    join transactions t on t.position = f.position ${joinBlock}
    where f.term = ? and f.position < ? ${checks.join(" ")} order by f.position desc limit ?`;
  const required = others.flat().map(toTermBytes);
  const found = new Map<number, MinedRow>();
  for (const term of first) {
    const rows = await sql.all<MinedRow>(query, [toTermBytes(term), before, ...required, limit]);
    for (const row of rows) found.set(row.position, row);
  }
  return [...found.values()].sort((one, other) => other.position - one.position).slice(0, limit);
}

export function toTermWrites({ transactionTerms, figures }: ExplorerRows): SqlWrite[] {
  const { blockNumber, payments, failed } = figures;
  return [
    {
      sql: toInsert("transaction_term", "ignore"),
      rows: transactionTerms.map((row) => [toTermBytes(row.term), toPosition(row.blockNumber, row.index)]),
    },
    {
      sql: toInsert("block_figures", "replace"),
      rows: payments + failed > 0 ? [[blockNumber, payments, failed]] : [],
    },
  ];
}
