/**
 * Writes a long history directly into a chain's database, with all explorer rows. Each block has a hundred token
 * transfers, among ten thousand accounts. No transaction is executed, so the header roots and the tries remain those of
 * the genesis.
 */

import { encodeRlp } from "@/lib/rlp";
import { toBlockSize } from "@/server/ethereum/codec/block";
import { toBloom } from "@/server/ethereum/codec/bloom";
import { concat, toBigInt, toBytes, toHex, toScalar, toWord } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash, keccak } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import type { Address, Block, Hash, Header, Log, Receipt, StateChanges, Transaction } from "@/server/ethereum/types";
import { project } from "@/server/explorer/project";
import type { Store } from "@/server/ports/store";

const perBlock = 100;
const accounts = 10_000;
const gasUsedEach = 51_000n;
const transferTopic: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const transferSelector = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb);

const toAccount = (index: number): Address => toHex(keccak(toScalar(index % accounts)).subarray(12));
const toTopic = (address: Address): Hash => toWord(BigInt(address));

/**
 * Appends this many transactions, `perBlock` in each block. The store must be open, and its chain must have only the
 * genesis block.
 */
export async function writeHistory(
  store: Store,
  options: { chainId: number; token: Address; transactions: number },
): Promise<void> {
  let parent = await store.findHead();
  if (!parent) throw new Error("The database has no genesis block.");
  for (let from = 0; from < options.transactions; from += perBlock) {
    const { block, receipts, state } = toBlock(parent, from, options);
    await store.commit({
      chainId: options.chainId,
      block,
      receipts,
      state,
      explorer: project(
        block,
        receipts,
        block.transactions.map(() => []),
      ),
      pool: { put: [], delete: [] },
    });
    parent = block.header;
  }
}

function toBlock(parent: Header, from: number, options: { chainId: number; token: Address }) {
  const baseFee = parent.baseFeePerGas ?? 0n;
  const transactions: Transaction[] = [];
  const receipts: Receipt[] = [];
  const state: StateChanges = { accounts: [], storage: [], codes: [], trieNodes: [] };
  for (let index = 0; index < perBlock; index++) {
    const serial = from + index;
    const [sender, recipient] = [toAccount(serial), toAccount(serial * 7 + 3)];
    transactions.push(toTransfer(options, { serial, sender, recipient }));
    const log: Log = {
      address: options.token,
      topics: [transferTopic, toTopic(sender), toTopic(recipient)],
      data: toWord(1n),
    };
    receipts.push({
      type: 2,
      status: 1,
      cumulativeGasUsed: gasUsedEach * BigInt(index + 1),
      gasUsed: gasUsedEach,
      effectiveGasPrice: baseFee + 1n,
      logsBloom: toBloom([log]),
      logs: [log],
      firstLogIndex: index,
    });
    const account = { nonce: BigInt(Math.floor(serial / accounts) + 1), balance: 10n ** 18n - BigInt(serial) };
    state.accounts.push({ address: sender, account: { ...account, codeHash: emptyCodeHash } });
    state.storage.push({ address: options.token, slot: toSlot(recipient), value: toWord(BigInt(serial + 1)) });
  }
  const header = toHeader({
    ...withoutHash(parent),
    parentHash: parent.hash,
    number: parent.number + 1,
    timestamp: parent.timestamp + 1,
    logsBloom: toBloom(receipts.flatMap(({ logs }) => logs)),
    // Using half of the gas limit keeps the base fee constant.
    gasUsed: parent.gasLimit / 2n,
  });
  const parts = { header, transactions, ommers: [], withdrawals: [] };
  const block: Block = { ...parts, size: toBlockSize(parts) };
  return { block, receipts, state };
}

const toSlot = (address: Address): Hash => toHex(keccak(toBytes(address)));

function withoutHash({ hash: _, ...fields }: Header): Omit<Header, "hash"> {
  return fields;
}

/**
 * Creates a type 2 transaction that transfers one unit of the token. Its signature is made up, because the sender is
 * stored rather than recovered.
 */
function toTransfer(
  { chainId, token }: { chainId: number; token: Address },
  { serial, sender, recipient }: { serial: number; sender: Address; recipient: Address },
): Transaction {
  const data = concat(transferSelector, toBytes(toTopic(recipient)), toBytes(toWord(1n)));
  // Used as both `r` and `s`. Because it has 31 bytes, it is in the valid range of both.
  const signature = toScalar(toBigInt(keccak(toScalar(serial)).subarray(1)));
  const fields = encodeRlp([
    toScalar(chainId),
    toScalar(Math.floor(serial / accounts)),
    toScalar(1),
    toScalar(2_000_000_000),
    toScalar(100_000),
    toBytes(token),
    toScalar(0),
    data,
    [],
    toScalar(1),
    signature,
    signature,
  ]);
  return decodeTransaction(concat(Uint8Array.of(2), fields), sender);
}
