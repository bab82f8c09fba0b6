/**
 * Creates blocks for the storage tests. They are small, but have real encodings, and each follows the previous one.
 * Each value is one more than the last, so that no two transactions, hashes or nodes are equal by accident.
 */

import { encodeRlp } from "@/lib/rlp";
import { encodeBlock } from "@/server/ethereum/codec/block";
import { toBloom } from "@/server/ethereum/codec/bloom";
import { toBytes, toScalar, toWord } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash, emptyOmmersHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import type {
  Account,
  Address,
  Hash,
  Header,
  Log,
  Receipt,
  StateChanges,
  Transaction,
  Withdrawal,
} from "@/server/ethereum/types";
import type { BlockCommit, ExplorerRows } from "@/server/ports/store";

export const chainId = 31_337;

export const toAddress = (value: number): Address => `0x${value.toString(16).padStart(40, "0")}`;
export const toHash = (value: number | bigint): Hash => toWord(BigInt(value));
export const toAccount = (balance: bigint, nonce = 0n): Account => ({ nonce, balance, codeHash: emptyCodeHash });

const noState: StateChanges = { accounts: [], storage: [], codes: [], trieNodes: [] };

type TransactionPlan = {
  from?: Address;
  to?: Address;
  logs?: Log[];
  receipt?: Partial<Receipt>;
};
export type BlockPlan = {
  transactions?: TransactionPlan[];
  state?: Partial<StateChanges>;
  explorer?: Partial<ExplorerRows>;
  pool?: Partial<BlockCommit["pool"]>;
  withdrawals?: Withdrawal[];
  ommers?: Header[];
  header?: Partial<Header>;
};

export type TestCommit = BlockCommit & { chainId: number };

/** Creates commits that follow each other, starting at genesis. */
export function createTestChain(): { next(plan?: BlockPlan): TestCommit } {
  let head: Header | undefined;
  let nonce = 0;
  return {
    next(plan = {}) {
      const planned = plan.transactions ?? [];
      const transactions = planned.map(({ from, to }) => toTransaction(nonce++, from ?? toAddress(1), to));
      const receipts = toReceipts(planned);
      const header = toHeader({
        parentHash: head?.hash ?? toHash(0),
        ommersHash: emptyOmmersHash,
        coinbase: toAddress(0xc0),
        stateRoot: emptyTrieRoot,
        transactionsRoot: emptyTrieRoot,
        receiptsRoot: emptyTrieRoot,
        logsBloom: toBloom(receipts.flatMap(({ logs }) => logs)),
        difficulty: 0n,
        number: head ? head.number + 1 : 0,
        gasLimit: 30_000_000n,
        gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? 0n,
        timestamp: 1_700_000_000 + (head ? head.number + 1 : 0),
        extraData: "0x",
        mixHash: toHash(0),
        nonce: "0x0000000000000000",
        baseFeePerGas: 1_000_000_000n,
        ...(plan.withdrawals ? { withdrawalsRoot: emptyTrieRoot } : {}),
        ...plan.header,
      });
      head = header;
      const body = {
        header,
        transactions,
        ommers: plan.ommers ?? [],
        ...(plan.withdrawals ? { withdrawals: plan.withdrawals } : {}),
      };
      return {
        chainId,
        block: { ...body, size: encodeBlock(body).length },
        receipts,
        state: { ...noState, ...plan.state },
        explorer: {
          addressTransactions: [],
          tokenTransfers: [],
          internalTransfers: [],
          transactionTerms: [],
          figures: { blockNumber: header.number, payments: 0, failed: 0 },
          nftTransfers: [],
          ...plan.explorer,
        },
        pool: { put: [], delete: [], ...plan.pool },
      };
    },
  };
}

/** Creates a legacy transaction in its real encoding. Its signature isn't valid, but the store never checks that. */
export function toTransaction(nonce: number, from: Address, to: Address | undefined): Transaction {
  const fields = [
    toScalar(nonce),
    toScalar(2_000_000_000n),
    toScalar(21_000n),
    to ? toBytes(to) : new Uint8Array(0),
    toScalar(0n),
    toBytes("0xc0ffee"),
    toScalar(27n),
    toScalar(1n + BigInt(nonce)),
    toScalar(1n),
  ];
  return decodeTransaction(encodeRlp(fields), from);
}

function toReceipts(planned: TransactionPlan[]): Receipt[] {
  let firstLogIndex = 0;
  return planned.map(({ logs = [], receipt }, index) => {
    const made: Receipt = {
      type: 0,
      status: 1,
      cumulativeGasUsed: 21_000n * BigInt(index + 1),
      gasUsed: 21_000n,
      effectiveGasPrice: 2_000_000_000n,
      logsBloom: toBloom(logs),
      logs,
      firstLogIndex,
      ...receipt,
    };
    firstLogIndex += logs.length;
    return made;
  });
}
