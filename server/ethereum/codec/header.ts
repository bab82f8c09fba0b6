/** Block headers. Each fork appends its new fields, so the number of fields shows which fork a header is from. */

import { decodeRlp, encodeRlp, RlpError, type RlpItem } from "@/lib/rlp";
import { toBytes, toScalar } from "@/server/ethereum/codec/bytes";
import { asHex, asInteger, asList, asNumber } from "@/server/ethereum/codec/fields";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { InvalidBlockError } from "@/server/ethereum/errors";
import type { Hash, Header } from "@/server/ethereum/types";

/**
 * Valid field counts: legacy headers, then those with a base fee (EIP-1559), withdrawals (4895), blobs and beacon root
 * (4844, 4788), and requests (7685).
 */
const fieldCounts = [15, 16, 17, 20, 21] as const;

export type HeaderFields = Omit<Header, "hash">;

export function encodeHeader(header: HeaderFields): Uint8Array {
  return encodeRlp(toHeaderItem(header));
}

/** The keccak hash of the encoded header. */
export function hashHeader(header: HeaderFields): Hash {
  return keccakHex(encodeHeader(header));
}

/** Computes the header's hash and adds it to the fields. */
export function toHeader(fields: HeaderFields): Header {
  return { ...fields, hash: hashHeader(fields) };
}

/** Throws InvalidBlockError if the bytes aren't a canonical header. */
export function decodeHeader(raw: Uint8Array): Header {
  return orInvalid(() => fromHeaderItem(decodeRlp(raw)));
}

/** Runs a decoder and turns its errors into InvalidBlockError. */
export function orInvalid<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RlpError) throw new InvalidBlockError(error.message);
    throw error;
  }
}

export function toHeaderItem(header: HeaderFields): RlpItem[] {
  const fields: RlpItem[] = [
    toBytes(header.parentHash),
    toBytes(header.ommersHash),
    toBytes(header.coinbase),
    toBytes(header.stateRoot),
    toBytes(header.transactionsRoot),
    toBytes(header.receiptsRoot),
    toBytes(header.logsBloom),
    toScalar(header.difficulty),
    toScalar(header.number),
    toScalar(header.gasLimit),
    toScalar(header.gasUsed),
    toScalar(header.timestamp),
    toBytes(header.extraData),
    toBytes(header.mixHash),
    toBytes(header.nonce),
  ];
  if (header.baseFeePerGas === undefined) return fields;
  fields.push(toScalar(header.baseFeePerGas));
  if (header.withdrawalsRoot === undefined) return fields;
  fields.push(toBytes(header.withdrawalsRoot));
  const { blobGasUsed, excessBlobGas, parentBeaconBlockRoot } = header;
  if (blobGasUsed === undefined || excessBlobGas === undefined || parentBeaconBlockRoot === undefined) return fields;
  fields.push(toScalar(blobGasUsed), toScalar(excessBlobGas), toBytes(parentBeaconBlockRoot));
  if (header.requestsHash !== undefined) fields.push(toBytes(header.requestsHash));
  return fields;
}

export function fromHeaderItem(item: RlpItem | undefined): Header {
  const fields = asList(item, "header", fieldCounts);
  const header: HeaderFields = {
    parentHash: asHex(fields[0], "parent hash", 32),
    ommersHash: asHex(fields[1], "ommers hash", 32),
    coinbase: asHex(fields[2], "coinbase", 20),
    stateRoot: asHex(fields[3], "state root", 32),
    transactionsRoot: asHex(fields[4], "transactions root", 32),
    receiptsRoot: asHex(fields[5], "receipts root", 32),
    logsBloom: asHex(fields[6], "logs bloom", 256),
    difficulty: asInteger(fields[7], "difficulty", 256),
    number: asNumber(fields[8], "block number"),
    gasLimit: asInteger(fields[9], "gas limit", 64),
    gasUsed: asInteger(fields[10], "gas used", 64),
    timestamp: asNumber(fields[11], "timestamp"),
    extraData: asHex(fields[12], "extra data"),
    mixHash: asHex(fields[13], "mix hash", 32),
    nonce: asHex(fields[14], "nonce", 8),
  };
  if (fields.length > 15) header.baseFeePerGas = asInteger(fields[15], "base fee", 256);
  if (fields.length > 16) header.withdrawalsRoot = asHex(fields[16], "withdrawals root", 32);
  if (fields.length > 17) {
    header.blobGasUsed = asInteger(fields[17], "blob gas used", 64);
    header.excessBlobGas = asInteger(fields[18], "excess blob gas", 64);
    header.parentBeaconBlockRoot = asHex(fields[19], "parent beacon block root", 32);
  }
  if (fields.length > 20) header.requestsHash = asHex(fields[20], "requests hash", 32);
  return { ...header, hash: keccakHex(encodeRlp(fields)) };
}
