/**
 * One chain: its head, its pool, its builder and its executor joined. The only writer of its store.
 */
import type { ChainSpec } from "@/server/chain/spec";
import type { Executor } from "@/server/chain/evm/executor";
import type { BlockRef, Block, Hash, Header, MinedTransaction, Receipt } from "@/server/chain/types";
import type { TxPool } from "@/server/chain/txpool/pool";
import type { Store } from "@/server/storage/port";

/** A block that was just committed. */
export type HeadEvent = { block: Block; receipts: Receipt[] };

export type Chain = {
  name: string;
  spec: ChainSpec;
  store: Store;
  executor: Executor;
  pool: TxPool;
  genesisHash: Hash;
  /** The newest committed header; never waits. */
  head(): Header;
  /** The number of the block that a reference names. Throws UnknownBlockError. pending is answered as latest. */
  resolve(ref: BlockRef): Promise<number>;
  /** Throws UnknownBlockError. */
  getHeader(ref: BlockRef): Promise<Header>;
  /**
   * Validates a raw transaction and puts it into the pool; the builder is woken. Answers its hash.
   * Throws TransactionRefusedError with the standard reason.
   */
  submit(raw: Uint8Array): Promise<Hash>;
  /** Resolves when the transaction is mined; undefined after timeoutMs. */
  waitForTransaction(hash: Hash, timeoutMs: number): Promise<MinedTransaction | undefined>;
  onHead(listener: (event: HeadEvent) => void): () => void;
  close(): Promise<void>;
};
