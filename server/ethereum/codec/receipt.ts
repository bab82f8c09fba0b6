/**
 * Receipts in their consensus form: type, outcome, cumulative gas, bloom and logs. Fields that can be derived from the
 * block are left out.
 */

import { decodeRlp, encodeRlp, RlpError, type RlpItem } from "@/lib/rlp";
import { concat, toBytes, toScalar } from "@/server/ethereum/codec/bytes";
import { asBytes, asHex, asInteger, asList } from "@/server/ethereum/codec/fields";
import { orInvalid } from "@/server/ethereum/codec/header";
import { toType } from "@/server/ethereum/codec/transaction";
import type { Log, Receipt } from "@/server/ethereum/types";

export type ConsensusReceipt = Pick<
  Receipt,
  "type" | "status" | "stateRoot" | "cumulativeGasUsed" | "logsBloom" | "logs"
>;

/**
 * The EIP-2718 envelope, or plain RLP for type 0, as stored in the receipts trie. The bloom is not recomputed, because
 * that would cost more than all the other steps.
 */
export function encodeReceipt(receipt: ConsensusReceipt): Uint8Array {
  const outcome = receipt.stateRoot === undefined ? toScalar(receipt.status ?? 0) : toBytes(receipt.stateRoot);
  const payload = encodeRlp([
    outcome,
    toScalar(receipt.cumulativeGasUsed),
    toBytes(receipt.logsBloom),
    receipt.logs.map(toLogItem),
  ]);
  return receipt.type === 0 ? payload : concat(Uint8Array.of(receipt.type), payload);
}

/** Reads the output of encodeReceipt. Throws InvalidBlockError if the bytes aren't a receipt. */
export function decodeReceipt(raw: Uint8Array): ConsensusReceipt {
  return orInvalid(() => {
    const { type, fields } = toFields(raw);
    return {
      type,
      ...toOutcome(fields[0]),
      cumulativeGasUsed: asInteger(fields[1], "cumulative gas", 64),
      logsBloom: asHex(fields[2], "logs bloom", 256),
      logs: toLogs(fields),
    };
  });
}

/** Reads only the logs, which takes half as long as reading the whole receipt. */
export function decodeLogs(raw: Uint8Array): Log[] {
  return orInvalid(() => toLogs(toFields(raw).fields));
}

function toFields(raw: Uint8Array): { type: Receipt["type"]; fields: RlpItem[] } {
  const first = raw[0];
  if (first === undefined) throw new RlpError("The receipt is empty.");
  const type = first >= 0xc0 ? 0 : toType(first);
  return { type, fields: asList(decodeRlp(type === 0 ? raw : raw.subarray(1)), "receipt", [4]) };
}

const toLogs = (fields: RlpItem[]): Log[] => asList(fields[3], "list of logs").map(fromLogItem);

/** EIP-658 replaced the state root with a status. The length shows which of them this is. */
function toOutcome(item: RlpItem | undefined): Pick<Receipt, "status" | "stateRoot"> {
  if (asBytes(item, "receipt status").length === 32) return { stateRoot: asHex(item, "state root") };
  const status = asInteger(item, "receipt status", 8);
  if (status > 1n) throw new RlpError(`The receipt status ${status} is neither 0 nor 1.`);
  return { status: status === 1n ? 1 : 0 };
}

function toLogItem(log: Log): RlpItem {
  return [toBytes(log.address), log.topics.map(toBytes), toBytes(log.data)];
}

function fromLogItem(item: RlpItem): Log {
  const [address, topics, data] = asList(item, "log", [3]);
  return {
    address: asHex(address, "log address", 20),
    topics: asList(topics, "list of topics").map((topic) => asHex(topic, "topic", 32)),
    data: asHex(data, "log data"),
  };
}
