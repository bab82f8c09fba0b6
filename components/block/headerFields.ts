/**
 * The fields of a block header in the order of its RLP: Yellow Paper 4.3.4, then EIPs 1559, 4895, 4844, 4788 and 7685.
 */
export const headerFields: readonly string[] = [
  "parentHash",
  "ommersHash",
  "coinbase",
  "stateRoot",
  "transactionsRoot",
  "receiptsRoot",
  "logsBloom",
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "extraData",
  "mixHash",
  "nonce",
  "baseFeePerGas",
  "withdrawalsRoot",
  "blobGasUsed",
  "excessBlobGas",
  "parentBeaconBlockRoot",
  "requestsHash",
];
