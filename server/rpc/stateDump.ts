/**
 * State dumps in anvil's format: the accounts at the head, and the latest blocks with their receipts. Loading a dump
 * merges its accounts, but not its blocks, which don't follow from our genesis.
 */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { address, anyInteger, anyQuantity, data, storageSlot } from "@/lib/rpc/codec";
import { toQuantity } from "@/lib/units";
import type { LoadedState } from "@/server/chain/loadState";
import { toHex } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { toImpersonationMark } from "@/server/ethereum/codec/impersonation";
import { NotPossibleError } from "@/server/ethereum/errors";
import type { Account, Address, Block, Header, Receipt } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";
import { encodeHeader, encodeReceipt, encodeTransaction } from "@/server/rpc/encode";

/** The number of blocks that BLOCKHASH can read. */
const dumpedBlocks = 256;
const pageLength = 1_000;
/** The maximum size of a dump after decompression. */
const dumpBytes = 512 * 1024 * 1024;

const loadable = z.object({
  block: z.object({ number: anyInteger, timestamp: anyInteger, basefee: anyQuantity.nullish() }).nullish(),
  best_block_number: anyInteger.nullish(),
  accounts: z.record(
    address,
    z.object({
      nonce: anyQuantity.nullish(),
      balance: anyQuantity,
      code: data.nullish(),
      storage: z.record(storageSlot, storageSlot).nullish(),
    }),
  ),
});

/** Reads a dump, gzipped or not. Throws NotPossibleError if it is invalid. */
export async function readStateDump(bytes: Uint8Array): Promise<LoadedState> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  let given: unknown;
  try {
    const text = isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: dumpBytes }) : bytes;
    given = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    throw new NotPossibleError("The state is neither JSON nor gzipped JSON.");
  }
  const read = loadable.safeParse(given);
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    throw new NotPossibleError(`The state is not in anvil's format: ${path.join(".").slice(0, 200)}: ${message}.`);
  }
  const { accounts, block, best_block_number: best } = read.data;
  return {
    accounts: Object.entries(accounts).map(([key, { nonce, balance, code, storage }]) => ({
      address: key as Address,
      nonce: nonce ?? 0n,
      balance,
      code: code ?? "0x",
      slots: Object.entries(storage ?? {}).map(([slot, value]) => ({ slot: slot as Address, value })),
    })),
    ...(block && {
      block: { number: best ?? block.number, timestamp: block.timestamp, baseFeePerGas: block.basefee ?? undefined },
    }),
  };
}

/** Creates a dump as gzipped JSON, the format that anvil_dumpState returns. */
export async function writeStateDump(store: Store): Promise<Uint8Array> {
  return promisify(gzip)(await toStateDump(store));
}

/** Creates a dump as JSON, the format that anvil writes to a file. */
export async function toStateDump(store: Store): Promise<string> {
  const head = (await store.findHead())!;
  const accounts: Record<Address, unknown> = {};
  let after: Address | undefined;
  for (;;) {
    const page = await store.listAccounts(head.number, { limit: pageLength, ...(after && { after }) });
    for (const { address: key, account } of page)
      accounts[key] = await toDumpedAccount(store, head.number, key, account);
    after = page.at(-1)?.address;
    if (page.length < pageLength) break;
  }
  const blocks: unknown[] = [];
  const transactions: unknown[] = [];
  for (let number = Math.max(0, head.number - dumpedBlocks + 1); number <= head.number; number++) {
    const [block, receipts] = await Promise.all([store.findBlock(number), store.findReceipts(number)]);
    if (!block || !receipts) throw new Error(`Block ${number} is missing from the database.`);
    blocks.push(toDumpedBlock(block));
    transactions.push(...receipts.map((receipt, index) => toDumpedTransaction(block, receipt, index)));
  }
  return JSON.stringify({
    block: toDumpedEnv(head),
    accounts,
    best_block_number: head.number,
    blocks,
    transactions,
    historical_states: null,
  });
}

async function toDumpedAccount(store: Store, block: number, key: Address, { nonce, balance, codeHash }: Account) {
  const code = codeHash === emptyCodeHash ? undefined : await store.findCode(codeHash);
  const slots = await store.listSlots(key, block, { limit: Number.MAX_SAFE_INTEGER });
  return {
    nonce: Number(nonce),
    balance: toQuantity(balance),
    code: code ? toHex(code) : "0x",
    storage: Object.fromEntries(slots.map(({ slot, value }) => [slot, value])),
  };
}

function toDumpedEnv({ number, coinbase, timestamp, gasLimit, baseFeePerGas, mixHash, excessBlobGas }: Header) {
  return {
    number: toQuantity(number),
    beneficiary: coinbase,
    timestamp: toQuantity(timestamp),
    gas_limit: Number(gasLimit),
    basefee: Number(baseFeePerGas ?? 0n),
    difficulty: "0x0",
    prevrandao: mixHash,
    blob_excess_gas_and_price: { excess_blob_gas: Number(excessBlobGas ?? 0n), blob_gasprice: 1 },
    slot_num: 0,
  };
}

function toDumpedBlock({ header, transactions }: Block) {
  const { hash: _, ...fields } = encodeHeader(header);
  return {
    header: fields,
    transactions: transactions.map((transaction) => {
      const {
        blockHash: _,
        blockNumber: __,
        blockTimestamp: ___,
        transactionIndex: ____,
        from,
        ...wire
      } = encodeTransaction(transaction, undefined);
      const isImpersonated = transaction.r === toImpersonationMark(from).r;
      // The wire format always includes `gasPrice`. Only transactions that set a single price sign it. For all others,
      // it is computed, so it is left out here.
      const { gasPrice, ...rest } = wire;
      const priced = transaction.maxFeePerGas === undefined ? { ...rest, gasPrice } : rest;
      return { transaction: priced, impersonated_sender: isImpersonated ? from : null };
    }),
    ommers: [],
    withdrawals: null,
  };
}

function toDumpedTransaction({ header, transactions }: Block, receipt: Receipt, index: number) {
  const transaction = transactions[index]!;
  const place = { blockHash: header.hash, blockNumber: header.number, blockTimestamp: header.timestamp, index };
  const { type, status, cumulativeGasUsed, logs, logsBloom } = encodeReceipt(receipt, transaction, place);
  return {
    info: {
      transaction_hash: transaction.hash,
      transaction_index: index,
      from: transaction.from,
      to: transaction.to ?? null,
      contract_address: receipt.contractAddress ?? null,
      traces: [],
      exit: receipt.status === 1 ? "Return" : "Revert",
      out: null,
      nonce: Number(transaction.nonce),
      gas_used: Number(receipt.gasUsed),
    },
    receipt: {
      type,
      status,
      cumulativeGasUsed,
      logs: logs.map(({ address: emitter, topics, data: bytes }) => ({ address: emitter, topics, data: bytes })),
      logsBloom,
    },
    block_hash: header.hash,
    block_number: header.number,
  };
}
