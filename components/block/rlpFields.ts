/** The fields of blocks and receipts in RLP order, each with what it means. */
export type Field = readonly [name: string, meaning?: string];

export const bodyFields: readonly Field[] = [
  ["header"],
  ["transactions", "Signed transactions, in order"],
  ["ommers", "Stale blocks (uncles). Always empty since the merge"],
  ["withdrawals", "Payouts from the beacon chain"],
];

/** Yellow Paper 4.3.4, then EIPs 1559, 4895, 4844, 4788 and 7685. */
export const headerFields: readonly Field[] = [
  ["parentHash", "Hash of the previous block"],
  ["ommersHash", "Hash of the list of ommers"],
  ["coinbase", "Account that receives the tips"],
  ["stateRoot", "Root hash of all accounts after this block"],
  ["transactionsRoot", "Root hash of the block’s transactions"],
  ["receiptsRoot", "Root hash of the block’s receipts"],
  ["logsBloom", "Filter for the addresses and topics of the logs"],
  ["difficulty", "Always 0 since the merge"],
  ["number", "Block number, counted from 0"],
  ["gasLimit", "Maximum gas for all transactions"],
  ["gasUsed", "Gas that the transactions used"],
  ["timestamp", "Seconds since the start of 1970, UTC"],
  ["extraData", "Any bytes from the block’s producer"],
  ["mixHash", "Random value from the beacon chain: prevRandao"],
  ["nonce", "Always 0 since the merge"],
  ["baseFeePerGas", "Minimum gas price in wei, which is burned"],
  ["withdrawalsRoot", "Root hash of the withdrawals"],
  ["blobGasUsed", "Gas used by blobs"],
  ["excessBlobGas", "Sets the price of blob gas"],
  ["parentBeaconBlockRoot", "Hash of the parent beacon block"],
  ["requestsHash", "Hash of the requests to the beacon chain"],
];

export const receiptFields: readonly Field[] = [
  ["status", "1 if the transaction succeeded"],
  ["cumulativeGasUsed", "Gas used by this and all earlier transactions in the block"],
  ["logsBloom", "Filter for the addresses and topics of the logs"],
  ["logs", "Address, topics and data of each log"],
];

type Entry = {
  /** What an item is called. */
  label: string;
  fields: readonly Field[];
};

/** The lists whose items have fields of their own, by name. Yellow Paper 4.4.1, and EIP-4895. */
export const entryFields: Record<string, Entry | undefined> = {
  logs: {
    label: "log",
    fields: [
      ["address", "Contract that emitted it"],
      ["topics", "Hash of the event’s signature, and its indexed arguments"],
      ["data", "The other arguments, ABI-encoded"],
    ],
  },
  withdrawals: {
    label: "withdrawal",
    fields: [
      ["index", "Number of earlier withdrawals"],
      ["validatorIndex", "Validator whose balance it comes from"],
      ["address", "Account that receives it"],
      ["amount", "Amount in gwei"],
    ],
  },
};
