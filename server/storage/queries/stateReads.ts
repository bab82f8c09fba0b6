/**
 * Reads several state values and their chain version in one statement, so that all of them are from the same moment.
 * This also saves round trips to a remote database.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { ChainVersion, ChainVersionStore, StateKeys, StateValues } from "@/server/ports/store";
import { type AccountRow, accountAt, slotAt, toAccount, toSlotValue } from "@/server/storage/queries/state";
import type { SqlReader, SqlValue } from "@/server/storage/sql";

// The numbers of the newest rewind and the newest edit. Neither number is ever reused, so each pair is unique.
const history = "(select coalesce(max(id), -1) + 1 from snapshot where block = -1)";
const edit = "(select coalesce(max(sequence), 0) from state_edit)";
/** The columns that `toChainVersion` reads. */
const chainVersionColumns = `${history} as history, ${edit} as edit`;
export const chainVersion = `select ${chainVersionColumns}`;
/** The `place` of the row that has the chain version. The rows for accounts and slots are numbered from 0. */
const chainVersionPlace = -1;

export type ChainVersionRow = { history: number; edit: number };
/** The columns that all selects in the union share. In a slot's row, `nonce` contains the slot's value. */
type Row = AccountRow & ChainVersionRow & { place: number };

export function createChainVersionStore(sql: SqlReader): ChainVersionStore {
  return {
    async findChainVersion() {
      return toChainVersion((await sql.get<ChainVersionRow>(chainVersion, []))!);
    },
    async readState(keys, block) {
      return toValues(keys, await sql.all<Row>(toStatement(keys), toParameters(keys, block)));
    },
  };
}

export const toChainVersion = ({ history, edit }: ChainVersionRow): ChainVersion => `${history}.${edit}`;

const statements = new Map<string, string>();

/**
 * Each combination of account count and slot count has its own statement. Callers round the counts, so that there are
 * only a few statements.
 */
function toStatement({ accounts, slots }: StateKeys): string {
  const shape = `${accounts.length} ${slots.length}`;
  let text = statements.get(shape);
  if (text === undefined) {
    text = [
      ...accounts.map(
        (_, place) => `${toHead(place)} is_deleted, nonce, balance, code_hash from (${accountAt}) as k${place}`,
      ),
      ...slots.map(
        (_, place) =>
          `${toHead(accounts.length + place)} null as is_deleted, value as nonce, null as balance, null as code_hash from (${slotAt}) as s${place}`,
      ),
      `select ${chainVersionPlace}, ${chainVersionColumns}, null, null, null, null`,
    ].join(" union all ");
    statements.set(shape, text);
  }
  return text;
}

/** The first select sets the union's column names. */
const toHead = (place: number) => `select ${place} as place, 0 as history, 0 as edit,`;

function toParameters({ accounts, slots }: StateKeys, block: number): SqlValue[] {
  return [
    ...accounts.flatMap((address) => [toBytes(address), block]),
    ...slots.flatMap(({ address, slot }) => [toBytes(address), toBytes(slot), block]),
  ];
}

function toValues({ accounts, slots }: StateKeys, rows: readonly Row[]): StateValues {
  const values: StateValues = {
    chainVersion: "",
    accounts: accounts.map(() => undefined),
    slots: slots.map(() => undefined),
  };
  for (const row of rows) {
    if (row.place === chainVersionPlace) values.chainVersion = toChainVersion(row);
    else if (row.place < accounts.length) values.accounts[row.place] = toAccount(row);
    else values.slots[row.place - accounts.length] = toSlotValue(row.nonce);
  }
  return values;
}
