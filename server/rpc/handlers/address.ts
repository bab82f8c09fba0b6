/** explorer_ methods for one address, read from the read model, the log index and the flat state. */
import { internalCursor, logCursor, slotCursor, transactionCursor } from "@/lib/rpc/cursor";
import { toQuantity } from "@/lib/units";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Address, MinedTransaction } from "@/server/ethereum/types";
import { listNewestLogs } from "@/server/explorer/newestLogs";
import { listNamedSelectors } from "@/server/explorer/selectors";
import type { Handler, RpcContext } from "@/server/rpc/context";
import { encodeLog } from "@/server/rpc/encode";
import { encodeSummary, toPage } from "@/server/rpc/encodeExplorer";

function toPlace({ transaction, blockNumber, blockTimestamp }: MinedTransaction) {
  return {
    blockNumber: toQuantity(blockNumber),
    timestamp: toQuantity(blockTimestamp),
    transactionHash: transaction.hash,
  };
}

export const explorer_getAddress: Handler<"explorer_getAddress"> = async ({ chain: { store } }, address) => {
  const first = await store.findAddressTransaction(address, "first");
  const last = first && (await store.findAddressTransaction(address, "last"));
  const creation = first && (await store.findAddressTransaction(address, "created"));
  return {
    firstSeen: first ? toPlace(first) : null,
    lastSeen: last ? toPlace(last) : null,
    creation: creation ? { ...toPlace(creation), from: creation.transaction.from } : null,
  };
};

export const explorer_getAddressTransactions: Handler<"explorer_getAddressTransactions"> = async (
  { chain },
  address,
  { limit, ...page },
) =>
  toPage(
    await chain.store.listAddressTransactions(address, { ...page, limit: limit + 1 }),
    limit,
    (row) => ({ ...encodeSummary(row), direction: row.direction }),
    (row) => transactionCursor.encode(row),
  );

export const explorer_getInternalTransfers: Handler<"explorer_getInternalTransfers"> = async (
  { chain },
  address,
  { limit, ...page },
) =>
  toPage(
    await chain.store.listInternalTransfers(address, { ...page, limit: limit + 1 }),
    limit,
    (row) => ({
      blockNumber: toQuantity(row.blockNumber),
      timestamp: toQuantity(row.blockTimestamp),
      transactionHash: row.transactionHash,
      kind: row.kind,
      from: row.from,
      to: row.to,
      value: toQuantity(row.value),
      sequence: toQuantity(row.sequence),
    }),
    (row) => internalCursor.encode(row),
  );

export const explorer_getTokenTransfers: Handler<"explorer_getTokenTransfers"> = async (
  { chain },
  filter,
  { limit, ...page },
) =>
  toPage(
    await chain.store.listTokenTransfers(filter, { ...page, limit: limit + 1 }),
    limit,
    (row) => ({
      blockNumber: toQuantity(row.blockNumber),
      timestamp: toQuantity(row.blockTimestamp),
      transactionHash: row.transactionHash,
      logIndex: toQuantity(row.logIndex),
      token: row.token,
      from: row.from,
      to: row.to,
      amount: toQuantity(row.amount),
    }),
    (row) => logCursor.encode(row),
  );

export const explorer_getLogs: Handler<"explorer_getLogs"> = async (
  { chain },
  address,
  { topics, fromBlock, before, limit },
) => {
  const rows = await listNewestLogs(chain.store, {
    address,
    topics,
    fromBlock,
    toBlock: chain.head().number,
    ...(before && { before }),
    limit: limit + 1,
  });
  return toPage(rows, limit, encodeLog, (log) => logCursor.encode(log));
};

export const explorer_getStorage: Handler<"explorer_getStorage"> = async (
  { chain },
  address,
  block,
  { limit, ...page },
) =>
  toPage(
    await chain.store.listSlots(address, await chain.resolve(block), { ...page, limit: limit + 1 }),
    limit,
    (row) => row,
    ({ slot }) => slotCursor.encode(slot),
  );

async function findCode({ chain }: RpcContext, address: Address): Promise<Uint8Array> {
  const account = await chain.store.findAccount(address, chain.head().number);
  if (!account || account.codeHash === emptyCodeHash) return new Uint8Array(0);
  return (await chain.store.findCode(account.codeHash)) ?? new Uint8Array(0);
}

export const explorer_getSelectors: Handler<"explorer_getSelectors"> = async (context, address) => {
  const code = await findCode(context, address);
  return { codeSize: toQuantity(code.length), ...listNamedSelectors(code) };
};
