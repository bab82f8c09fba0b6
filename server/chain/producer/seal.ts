/** Turns an executed draft into a block with its header and hash. Pure. */
import { extraData } from "@/server/chain/producer/execute";
import type { Draft, SealedBlock } from "@/server/chain/producer/state";
import { toBlockSize } from "@/server/ethereum/codec/block";
import { emptyOmmersHash } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import type { Header } from "@/server/ethereum/types";
import type { BlockEnv, ExecutedBlock, Rejection } from "@/server/ports/executor";

/** Codes of rejections whose cause may be gone in the next block. All other rejections are final. */
const passingCodes: Rejection["code"][] = [
  "nonce too high",
  "gas limit reached",
  "blob gas limit reached",
  "max fee per gas less than block base fee",
  "max fee per blob gas less than block blob gas fee",
];

export function seal({ env, transactions }: Draft, executed: ExecutedBlock): SealedBlock {
  const { withdrawalsRoot, receipts, internalTransfers, consoleCalls, state } = executed;
  const parts = {
    header: toSealedHeader(env, executed),
    transactions: executed.included.map((index) => transactions[index]!),
    ommers: [],
    ...(withdrawalsRoot === undefined ? {} : { withdrawals: [] }),
  };
  const rejected = executed.rejected
    .filter(({ code }) => !passingCodes.includes(code))
    .map(({ hash, reason, code }) => ({ hash, reason, isSlow: code === "JOB_TIMEOUT" }));
  return { block: { ...parts, size: toBlockSize(parts) }, receipts, internalTransfers, consoleCalls, state, rejected };
}

function toSealedHeader(env: BlockEnv, executed: ExecutedBlock): Header {
  const { baseFeePerGas, excessBlobGas, parentBeaconBlockRoot } = env;
  const { withdrawalsRoot, requestsHash, blobGasUsed } = executed;
  return toHeader({
    parentHash: env.parentHash,
    ommersHash: emptyOmmersHash,
    coinbase: env.coinbase,
    stateRoot: executed.stateRoot,
    transactionsRoot: executed.transactionsRoot,
    receiptsRoot: executed.receiptsRoot,
    logsBloom: executed.logsBloom,
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: env.gasLimit,
    gasUsed: executed.gasUsed,
    timestamp: env.timestamp,
    extraData,
    mixHash: env.prevRandao,
    nonce: "0x0000000000000000",
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas, blobGasUsed: blobGasUsed ?? 0n }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    ...(requestsHash === undefined ? {} : { requestsHash }),
  });
}
