/**
 * Imports blocks from another node: executes each block and compares the results with everything that its header
 * commits to. Stops at the first block that differs, with an error that names the block and the field. Keeps the blocks
 * before it.
 */
import type { Chain } from "@/server/chain/chain";
import { executeAgain } from "@/server/chain/executeAgain";
import type { SealedBlock } from "@/server/chain/producer/state";
import { encodeOmmers } from "@/server/ethereum/codec/block";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { InvalidBlockError } from "@/server/ethereum/errors";
import { nextBaseFee, nextExcessBlobGas } from "@/server/ethereum/fees";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Block, Header } from "@/server/ethereum/types";
import type { ExecutedBlock } from "@/server/ports/executor";

/**
 * EIP-1559 and Yellow Paper 4.3.4: the gas limit changes by less than 1/1024 of the parent's gas limit and is at least
 * 5,000.
 */
const gasLimitStep = 1_024n;
const minGasLimit = 5_000n;
const maxExtraDataBytes = 32;

/**
 * Appends blocks in order and skips blocks that are already known. Returns how many were added. Throws
 * InvalidBlockError. Does not check proofs of work.
 */
export async function importBlocks(chain: Chain, blocks: Iterable<Block> | AsyncIterable<Block>): Promise<number> {
  let added = 0;
  for await (const block of blocks) {
    if ((await chain.store.findBlockNumber(block.header.hash)) !== undefined) continue;
    await chain.append((parent) => verify(chain, parent, block));
    added++;
  }
  return added;
}

async function verify(chain: Chain, parent: Header, block: Block): Promise<SealedBlock> {
  const { header } = block;
  assertHeader(chain.spec, parent, block);
  const executed = await executeAgain(chain, parent, block);
  assertOutcome(header, executed);
  const { receipts, internalTransfers, state } = executed;
  return { block, receipts, internalTransfers, state, rejected: [] };
}

/** Checks everything in the header that doesn't require execution. */
function assertHeader(spec: ChainSpec, parent: Header, { header, ommers }: Block): void {
  const { number, timestamp } = header;
  const at = { number, timestamp };
  assertField(header, "number", number, parent.number + 1);
  assertField(header, "parentHash", header.parentHash, parent.hash);
  if (timestamp < parent.timestamp) throw toMismatch(header, "timestamp", timestamp, `at least ${parent.timestamp}`);
  assertField(header, "baseFeePerGas", header.baseFeePerGas, nextBaseFee(spec, parent, at));
  assertField(header, "excessBlobGas", header.excessBlobGas, nextExcessBlobGas(spec, parent, at));
  assertField(header, "ommersHash", header.ommersHash, keccakHex(encodeOmmers(ommers)));
  if ((header.extraData.length - 2) / 2 > maxExtraDataBytes) {
    throw toMismatch(header, "extraData", header.extraData, `at most ${maxExtraDataBytes} bytes`);
  }
  assertGasLimit(spec, parent, header);
}

function assertGasLimit(spec: ChainSpec, parent: Header, header: Header): void {
  // The first London block doubles the limit, so that its target is the old limit.
  const isFirstLondon = parent.baseFeePerGas === undefined && header.baseFeePerGas !== undefined;
  const before = isFirstLondon ? parent.gasLimit * spec.fees.elasticity : parent.gasLimit;
  const step = header.gasLimit > before ? header.gasLimit - before : before - header.gasLimit;
  if (step >= before / gasLimitStep && step > 0n) {
    throw toMismatch(header, "gasLimit", header.gasLimit, `a value that differs from ${before} by less than 1/1024`);
  }
  if (header.gasLimit < minGasLimit) throw toMismatch(header, "gasLimit", header.gasLimit, `at least ${minGasLimit}`);
}

function assertOutcome(header: Header, executed: ExecutedBlock): void {
  assertField(header, "gasUsed", header.gasUsed, executed.gasUsed);
  assertField(header, "transactionsRoot", header.transactionsRoot, executed.transactionsRoot);
  assertField(header, "receiptsRoot", header.receiptsRoot, executed.receiptsRoot);
  assertField(header, "logsBloom", header.logsBloom, executed.logsBloom);
  assertField(header, "withdrawalsRoot", header.withdrawalsRoot, executed.withdrawalsRoot);
  assertField(header, "blobGasUsed", header.blobGasUsed, executed.blobGasUsed);
  assertField(header, "requestsHash", header.requestsHash, executed.requestsHash);
  assertField(header, "stateRoot", header.stateRoot, executed.stateRoot);
}

function assertField<T>(header: Header, field: keyof Header, stated: T, right: T): void {
  if (stated !== right) throw toMismatch(header, field, stated, right);
}

function toMismatch(header: Header, field: keyof Header, stated: unknown, right: unknown): InvalidBlockError {
  return new InvalidBlockError(`Block ${header.number} (${header.hash}) has ${field} ${stated}, expected ${right}.`);
}
