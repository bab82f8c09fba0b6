/**
 * Defines the tables. The DDL for both databases is generated from them. Keys and indexes match the order in which
 * queries read, and any change to the tables needs a new FORMAT and a migration in migrate.ts.
 */

/** The database format that this code reads and writes. */
export const FORMAT = 7;

/**
 * `int`: a safe integer. `big`: an unsigned number as 32 sortable big-endian bytes. `scalar`: an unsigned number
 * without leading zero bytes, not sortable. `blob`: hashes, addresses, encodings.
 */
type ColumnKind = "int" | "big" | "scalar" | "blob" | "text";
type Column<Kind extends ColumnKind = ColumnKind> = { kind: Kind; nullable?: true };

export type Table = {
  name: string;
  columns: Record<string, Column>;
  /** The columns of the primary key, in order. */
  key: string[];
  /**
   * Stores rows in the primary key's tree (SQLite WITHOUT ROWID). This suits small rows that are read by key range, but
   * makes large rows slow.
   */
  clustered?: true;
  indexes?: { name: string; columns: string[]; unique?: true }[];
};

const int: Column<"int"> = { kind: "int" };
const blob: Column<"blob"> = { kind: "blob" };
const text: Column<"text"> = { kind: "text" };
const scalar: Column<"scalar"> = { kind: "scalar" };
const big: Column<"big"> = { kind: "big" };
const optional = <C extends Column>(column: C) => ({ ...column, nullable: true }) as const;

const schema = {
  // This table has a single row, with id 1.
  store: {
    columns: { id: int, format: int, chain_id: optional(int), genesis_hash: optional(blob) },
    key: ["id"],
  },
  // This table has a single row, with id 1. A commit replaces it only if the stored head is the new block's parent.
  head: {
    columns: { id: int, number: int, hash: blob },
    key: ["id"],
  },
  // The versions of the topics that instances watch. A writer locks the topic's row. See queries/topics.ts.
  topic: {
    columns: { name: text, version: int },
    key: ["name"],
    clustered: true,
  },
  // Exclusive rights and when they expire, according to the database's clock. `fence` grows with every new holder.
  lease: {
    columns: { name: text, holder: text, fence: int, expires_at: int },
    key: ["name"],
    clustered: true,
  },
  // Nonces for accounts that several instances send from. A nonce without a transaction is reserved until `expires_at`,
  // so that its instance can sign a transaction with it.
  allotment: {
    columns: {
      account: blob,
      nonce: int,
      holder: text,
      expires_at: int,
      hash: optional(blob),
      raw: optional(blob),
    },
    key: ["account", "nonce"],
    clustered: true,
  },
  // The parts of payers' balances that are briefly reserved for verified payments.
  reservation: {
    columns: { purse: text, id: blob, units: big, expires_at: int },
    key: ["purse", "id"],
    clustered: true,
    indexes: [{ name: "reservation_expiry", columns: ["expires_at"] }],
  },
  // The number of requests that a client had left at a given time, in thousandths of a request.
  rate_bucket: {
    columns: { client: text, left_milli: int, filled_at: int },
    key: ["client"],
    clustered: true,
    indexes: [{ name: "rate_bucket_filled", columns: ["filled_at"] }],
  },
  block: {
    columns: {
      number: int,
      hash: blob,
      timestamp: int,
      base_fee: optional(scalar),
      size: int,
      transaction_count: int,
      header: blob,
      // `ommers` and `withdrawals` are RLP lists. `ommers` is NULL if there are none, and `withdrawals` is NULL for
      // blocks before EIP-4895.
      ommers: optional(blob),
      withdrawals: optional(blob),
    },
    key: ["number"],
    indexes: [{ name: "block_hash", columns: ["hash"], unique: true }],
  },
  // `position` combines block and index (columns.ts). `raw` is the last column because it is long and lists skip it.
  transactions: {
    columns: {
      position: int,
      hash: blob,
      sender: blob,
      gas_used: int,
      effective_gas_price: scalar,
      first_log_index: int,
      contract_address: optional(blob),
      blob_gas_used: optional(int),
      blob_gas_price: optional(scalar),
      receipt: blob,
      raw: blob,
    },
    key: ["position"],
    indexes: [{ name: "transactions_hash", columns: ["hash"], unique: true }],
  },
  // The blocks and positions where an address or topic occurs in logs. There is one row per distinct term and block,
  // not per log. See queries/logs.ts.
  log_term: {
    columns: { term: blob, block: int, places: blob },
    key: ["term", "block"],
    clustered: true,
  },
  // In a deleted account's row, the balance is NULL. A NULL code hash means that the account has no code.
  account: {
    columns: {
      address: blob,
      block: int,
      nonce: optional(scalar),
      balance: optional(scalar),
      code_hash: optional(blob),
    },
    key: ["address", "block"],
    clustered: true,
  },
  // Leading zero bytes are not stored, so the value of a cleared slot is empty.
  storage: {
    columns: { address: blob, slot: blob, block: int, value: blob },
    key: ["address", "slot", "block"],
    clustered: true,
  },
  code: { columns: { hash: blob, code: blob }, key: ["hash"] },
  trie_node: { columns: { hash: blob, node: blob }, key: ["hash"] },
  // Edits to the state at the end of a block. No block header reflects them. See queries/rewind.ts.
  state_edit: {
    columns: { sequence: int, block: int, state_root: blob },
    key: ["sequence"],
    indexes: [{ name: "state_edit_block", columns: ["block", "sequence"] }],
  },
  // The row that an edit replaced. `present` is 0 if there was no row for that block.
  state_edit_account: {
    columns: {
      sequence: int,
      address: blob,
      present: int,
      nonce: optional(scalar),
      balance: optional(scalar),
      code_hash: optional(blob),
    },
    key: ["sequence", "address"],
    clustered: true,
  },
  state_edit_slot: {
    columns: { sequence: int, address: blob, slot: blob, value: optional(blob) },
    key: ["sequence", "address", "slot"],
    clustered: true,
  },
  // Snapshots to rewind to. `edit` is the last edit before the snapshot, or 0 if there was none.
  snapshot: {
    columns: { id: int, block: int, edit: int, clock_offset: int },
    key: ["id"],
    indexes: [{ name: "snapshot_block", columns: ["block", "id"] }],
  },
  pool: {
    columns: {
      hash: blob,
      sender: blob,
      nonce: scalar,
      status: text,
      reason: optional(text),
      seen_at: int,
      changed_at: int,
      // The version that the topic "pool" had when the row was written. See queries/topics.ts.
      version: int,
      raw: blob,
    },
    key: ["hash"],
    indexes: [
      { name: "pool_seen", columns: ["seen_at", "hash"] },
      { name: "pool_version", columns: ["version"] },
    ],
  },
  address_transaction: {
    // `direction` is the transaction's relation to the address, as a code from queries/explorer.ts.
    columns: { address: blob, position: int, direction: int },
    key: ["address", "position"],
    clustered: true,
    indexes: [{ name: "address_transaction_direction", columns: ["address", "direction", "position"] }],
  },
  // `position` combines the block and the log index.
  token_transfer: {
    columns: {
      position: int,
      transaction_index: int,
      token: blob,
      sender: blob,
      recipient: blob,
      amount: big,
    },
    key: ["position"],
    indexes: [
      { name: "token_transfer_token", columns: ["token", "position"] },
      { name: "token_transfer_sender", columns: ["sender", "position"] },
      { name: "token_transfer_recipient", columns: ["recipient", "position"] },
      { name: "token_transfer_token_sender", columns: ["token", "sender", "position"] },
      { name: "token_transfer_token_recipient", columns: ["token", "recipient", "position"] },
    ],
  },
  // Transfers inside transactions. `position` combines the block and the index among the block's internal transfers.
  internal_transfer: {
    columns: { position: int, transaction_index: int, kind: int, sender: blob, recipient: blob, amount: scalar },
    key: ["position"],
    indexes: [
      { name: "internal_transfer_sender", columns: ["sender", "position"] },
      { name: "internal_transfer_recipient", columns: ["recipient", "position"] },
    ],
  },
  // Filter terms of transactions; see queries/transactionTerms.ts.
  transaction_term: {
    columns: { term: blob, position: int },
    key: ["term", "position"],
    clustered: true,
  },
  // Counts for the list of blocks. A block with neither payments nor failed transactions has no row.
  block_figures: {
    columns: { number: int, payments: int, failed: int },
    key: ["number"],
  },
  // Transfers of ERC-721 and ERC-1155 tokens. `position` combines the block and the index among its NFT transfers.
  nft_transfer: {
    columns: { position: int, token: blob, token_id: big, sender: blob, recipient: blob, amount: big },
    key: ["position"],
    indexes: [{ name: "nft_transfer_token", columns: ["token", "position"] }],
  },
  // NFT holdings above zero, computed from the transfers so far.
  nft_holding: {
    columns: { address: blob, token: blob, token_id: big, amount: big },
    key: ["address", "token", "token_id"],
    clustered: true,
    indexes: [{ name: "nft_holding_token", columns: ["token"] }],
  },
  // One row for each token that was ever transferred, with counts that would take too long to compute for a list.
  token: {
    columns: { address: blob, holders: int, transfers: int },
    key: ["address"],
    clustered: true,
    indexes: [{ name: "token_holders", columns: ["holders", "address"] }],
  },
  // Token balances above zero, computed from the transfers so far.
  token_holder: {
    columns: { token: blob, address: blob, balance: big },
    key: ["token", "address"],
    clustered: true,
    indexes: [
      { name: "token_holder_balance", columns: ["token", "balance", "address"] },
      { name: "token_holder_address", columns: ["address", "token"] },
    ],
  },
  // This table has a single row, with id 1. The explorer's rows are complete for every block below `next_block`.
  read_model: {
    columns: { id: int, next_block: int },
    key: ["id"],
  },
  payment: {
    columns: {
      id: blob,
      network: text,
      scheme: text,
      asset: blob,
      payer: blob,
      payee: blob,
      amount: big,
      settled: optional(big),
      nonce: blob,
      resource: optional(text),
      state: text,
      reason: optional(text),
      transaction_hash: optional(blob),
      batch_size: optional(int),
      batch_index: optional(int),
      gas_used: optional(scalar),
      gas_cost: optional(scalar),
      refund_of: optional(blob),
      refunded: optional(scalar),
      refund_transaction: optional(blob),
      identifier: optional(text),
      collected_by: optional(text),
      revision: int,
      created_at: int,
      changed_at: int,
      valid_before: int,
      // The version that the topic "payment" had when the row was written.
      version: int,
      // The states that the payment went through and when, as JSON.
      steps: text,
      payload: text,
    },
    key: ["id"],
    indexes: [
      { name: "payment_created", columns: ["created_at", "id"] },
      { name: "payment_state", columns: ["state", "created_at", "id"] },
      { name: "payment_payer", columns: ["payer", "created_at", "id"] },
      { name: "payment_payee", columns: ["payee", "created_at", "id"] },
      { name: "payment_resource", columns: ["resource", "created_at", "id"] },
      { name: "payment_transaction", columns: ["transaction_hash", "created_at", "id"] },
      { name: "payment_identifier", columns: ["identifier"], unique: true },
      { name: "payment_version", columns: ["version"] },
    ],
  },
  // Signed settlement transactions. One transaction may settle many payments, so it is stored once here instead of in
  // each payment's row.
  settlement: {
    columns: { hash: blob, raw: blob, signed_at: int },
    key: ["hash"],
  },
  // Counts and sums, updated with every change to a payment. See queries/paymentTotals.ts.
  payment_total: {
    columns: {
      grouping: text,
      subject: text,
      asset: blob,
      payments: int,
      settled: scalar,
      refunds: int,
      refunded: scalar,
      gas_cost: scalar,
    },
    key: ["grouping", "subject", "asset"],
    clustered: true,
  },
  // Paid resources that the bazaar extension has cataloged. The key includes the payee, so that nobody can overwrite
  // another payee's entry.
  paid_resource: {
    columns: {
      url: text,
      payee: blob,
      payer: blob,
      updated_at: int,
      type: text,
      schemes: text,
      words: text,
      item: text,
    },
    key: ["url", "payee"],
    indexes: [
      { name: "paid_resource_updated", columns: ["updated_at", "url", "payee"] },
      { name: "paid_resource_payee", columns: ["payee", "updated_at", "url"] },
      { name: "paid_resource_payer", columns: ["payer", "updated_at", "url", "payee"] },
    ],
  },
  // Recorded HTTP exchanges for paid requests. The record counts against the limit of `client`. `flow` is JSON.
  exchange: {
    columns: { id: text, payment: optional(blob), client: text, created_at: int, flow: text },
    key: ["id"],
    indexes: [
      { name: "exchange_payment", columns: ["payment", "created_at"] },
      { name: "exchange_client", columns: ["client", "created_at", "id"] },
    ],
  },
} satisfies Record<string, Omit<Table, "name">>;

type Schema = typeof schema;
type ValueOf<C> = C extends Column<"int"> ? number : C extends Column<"text"> ? string : Uint8Array;

/** A table's row, with the types that drivers return. */
export type Row<Name extends keyof Schema> = {
  [C in keyof Schema[Name]["columns"]]: Schema[Name]["columns"][C] extends { nullable: true }
    ? ValueOf<Schema[Name]["columns"][C]> | null
    : ValueOf<Schema[Name]["columns"][C]>;
};

export const tables: Table[] = Object.entries(schema).map(([name, table]) => ({ name, ...table }));

/** Returns the names of a table's columns, for selecting whole rows. */
export function listColumns(table: keyof Schema): string {
  return Object.keys(schema[table].columns).join(", ");
}

/** The tables of the explorer's read model. They are derived from the chain and can be rebuilt from it. */
export const readModelTables = [
  "address_transaction",
  "token_transfer",
  "internal_transfer",
  "transaction_term",
  "block_figures",
  "nft_transfer",
  "nft_holding",
  "token",
  "token_holder",
  "read_model",
];

export type Dialect = {
  types: Record<ColumnKind, string>;
  /** The SQL clause that follows the column list of a clustered table. */
  clusteredSuffix: string;
};

export const sqliteDialect: Dialect = {
  types: { int: "integer", big: "blob", scalar: "blob", blob: "blob", text: "text" },
  clusteredSuffix: " without rowid",
};

/** SQLite compares text byte by byte. Postgres needs this collation to do the same. */
export const postgresDialect: Dialect = {
  types: { int: "bigint", big: "bytea", scalar: "bytea", blob: "bytea", text: 'text collate "C"' },
  clusteredSuffix: "",
};

/** Returns the statements that create the given tables and their indexes. */
export function toDdl(described: Table[], dialect: Dialect): string[] {
  return described.flatMap((table) => {
    const columns = Object.entries(table.columns).map(
      ([name, column]) => `${name} ${dialect.types[column.kind]}${column.nullable ? "" : " not null"}`,
    );
    // SQLite uses the column as the row id only if its type is exactly "integer primary key".
    const single = table.key.length === 1 && table.columns[table.key[0]!]?.kind === "int";
    const body = single
      ? columns.map((column, at) =>
          Object.keys(table.columns)[at] === table.key[0] ? `${column} primary key` : column,
        )
      : [...columns, `primary key (${table.key.join(", ")})`];
    return [
      `create table ${table.name} (${body.join(", ")})${table.clustered ? dialect.clusteredSuffix : ""}`,
      ...(table.indexes ?? []).map(
        (index) =>
          `create ${index.unique ? "unique " : ""}index ${index.name} on ${table.name} (${index.columns.join(", ")})`,
      ),
    ];
  });
}

/**
 * Returns a statement that inserts a whole row, with values in column order. `onConflict` says what happens if the row
 * already exists.
 */
export function toInsert(table: string, onConflict: "fail" | "ignore" | "replace"): string {
  const key = `${table} ${onConflict}`;
  const known = inserts.get(key) ?? makeInsert(table, onConflict);
  inserts.set(key, known);
  return known;
}

const inserts = new Map<string, string>();

function makeInsert(table: string, onConflict: "fail" | "ignore" | "replace"): string {
  const described = tables.find(({ name }) => name === table);
  if (!described) throw new Error(`Unknown table ${table}.`);
  const names = Object.keys(described.columns);
  const insert = `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
  if (onConflict === "fail") return insert;
  if (onConflict === "ignore") return `${insert} on conflict do nothing`;
  const set = names.filter((name) => !described.key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return `${insert} on conflict (${described.key.join(", ")}) do update set ${set.join(", ")}`;
}
