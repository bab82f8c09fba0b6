/**
 * Rows whose requests don't repeat: each request has a different address, block, hash, calldata or slot. A given number
 * always stands for the same request, on every node and in every run.
 */
import { encodeFunctionData, type Hex, numberToHex, padHex } from "viem";
import { tokenAbi } from "@/lib/abi/token";
import { token } from "@/server/tools/bench/exactTerms";
import { toTransferData } from "@/server/tools/bench/rpcChain";
import { type DistinctChain, toBalanceSlot } from "@/server/tools/bench/rpcDistinctChain";

type RpcRequest = readonly [method: string, params: readonly unknown[]];

export type DistinctRow = {
  name: string;
  /** Set for rows that mostly measure transport. These are also measured on a bare HTTP server. */
  isTransport?: boolean;
  /** Whether the row is also measured while blocks arrive. */
  isLive?: boolean;
  /** Whether the row executes old transactions or reads tries, which needs a chain whose blocks were executed. */
  isExecuted?: boolean;
  /** The number of different requests. */
  count(chain: DistinctChain): number;
  request(chain: DistinctChain, number: number): RpcRequest;
};

const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const many = 20_000;
/**
 * The step between list entries, so that a list is visited in a scattered order. It's a prime, so no entry repeats
 * until all others have been visited.
 */
const stride = 7_919;

const at = <T>(list: readonly T[], number: number): T => list[(number * stride) % list.length]!;
const numberAt = ({ blocks }: DistinctChain, number: number) => numberToHex(at(blocks, number).number);
const holderAt = ({ holders }: DistinctChain, number: number) => at(holders, number);

const balanceOf = (holder: Hex) => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [holder] }),
});
const transfer = (chain: DistinctChain, number: number) => ({
  from: holderAt(chain, number),
  to: token,
  data: toTransferData(1n, holderAt(chain, number + 1)),
});
const toLogFilter = ({ blocks }: DistinctChain, first: number, length: number, recipient: Hex | null) => ({
  address: token,
  topics: recipient ? [transferTopic, null, padHex(recipient, { size: 32 })] : [transferTopic],
  fromBlock: numberToHex(blocks[first]!.number),
  toBlock: numberToHex(blocks[Math.min(first + length, blocks.length) - 1]!.number),
});

const ofHolders = { count: ({ holders }: DistinctChain) => holders.length };
const ofTransactions = { count: ({ transactions }: DistinctChain) => transactions.length };
/** Each block is requested by its number first and by its hash later. */
const ofBlocks = { count: ({ blocks }: DistinctChain) => 2 * blocks.length };
const ofMany = { count: () => many };

const toBlockReference = (chain: DistinctChain, number: number): Hex =>
  number < chain.blocks.length ? numberAt(chain, number) : at(chain.blocks, number).hash;

const toBlockRow = (name: string, isFull: boolean): DistinctRow => ({
  name,
  ...ofBlocks,
  request: (chain, number) => [
    number < chain.blocks.length ? "eth_getBlockByNumber" : "eth_getBlockByHash",
    [toBlockReference(chain, number), isFull],
  ],
});

const toHashRow = (method: string, more: unknown[] = []) => ({
  ...ofTransactions,
  request: ({ transactions }: DistinctChain, number: number): RpcRequest => [
    method,
    [at(transactions, number), ...more],
  ],
});

export const distinctRows: DistinctRow[] = [
  { name: "chain ID", isTransport: true, isLive: true, ...ofMany, request: () => ["eth_chainId", []] },
  {
    name: "balance",
    isTransport: true,
    isLive: true,
    ...ofHolders,
    request: (chain, number) => ["eth_getBalance", [holderAt(chain, number), "latest"]],
  },
  {
    name: "balance at a past block",
    isTransport: true,
    ...ofMany,
    request: (chain, number) => ["eth_getBalance", [holderAt(chain, number), numberAt(chain, number)]],
  },
  {
    name: "nonce",
    isTransport: true,
    ...ofHolders,
    request: (chain, number) => ["eth_getTransactionCount", [holderAt(chain, number), "latest"]],
  },
  {
    name: "storage",
    isTransport: true,
    isLive: true,
    ...ofHolders,
    request: (chain, number) => ["eth_getStorageAt", [token, toBalanceSlot(holderAt(chain, number)), "latest"]],
  },
  toBlockRow("block", false),
  toBlockRow("block with full transactions", true),
  {
    name: "receipts of a block",
    ...ofBlocks,
    request: (chain, number) => ["eth_getBlockReceipts", [toBlockReference(chain, number)]],
  },
  { name: "transaction", ...toHashRow("eth_getTransactionByHash") },
  { name: "receipt", isTransport: true, ...toHashRow("eth_getTransactionReceipt") },
  {
    name: "fee history, 20 blocks",
    isTransport: true,
    isLive: true,
    ...ofMany,
    request: (chain, number) => [
      "eth_feeHistory",
      ["0x14", numberAt(chain, number), [number % 50, 50 + (number % 49)]],
    ],
  },
  {
    name: "logs of up to ten blocks",
    isLive: true,
    count: ({ blocks }) => 10 * blocks.length,
    request: (chain, number) => {
      const first = (number * stride) % chain.blocks.length;
      return ["eth_getLogs", [toLogFilter(chain, first, 1 + Math.floor(number / chain.blocks.length), null)]];
    },
  },
  {
    name: "logs of a holder",
    ...ofHolders,
    request: (chain, number) => ["eth_getLogs", [toLogFilter(chain, 0, chain.blocks.length, holderAt(chain, number))]],
  },
  {
    name: "call, balanceOf",
    isLive: true,
    ...ofHolders,
    request: (chain, number) => ["eth_call", [balanceOf(holderAt(chain, number)), "latest"]],
  },
  {
    name: "call, balanceOf at a past block",
    ...ofMany,
    request: (chain, number) => ["eth_call", [balanceOf(holderAt(chain, number)), numberAt(chain, number)]],
  },
  {
    name: "gas estimate, token transfer",
    isLive: true,
    ...ofHolders,
    request: (chain, number) => ["eth_estimateGas", [transfer(chain, number)]],
  },
  {
    name: "access list, token transfer",
    isLive: true,
    ...ofHolders,
    request: (chain, number) => ["eth_createAccessList", [transfer(chain, number), "latest"]],
  },
  { name: "trace, callTracer", isExecuted: true, ...toHashRow("debug_traceTransaction", [{ tracer: "callTracer" }]) },
  {
    name: "trace, prestateTracer",
    isExecuted: true,
    ...toHashRow("debug_traceTransaction", [{ tracer: "prestateTracer" }]),
  },
  {
    name: "proof",
    isExecuted: true,
    ...ofHolders,
    request: (chain, number) => ["eth_getProof", [token, [toBalanceSlot(holderAt(chain, number))], "latest"]],
  },
];

/** The share of a public provider's requests that each row stands for, in percent. */
const shares: Record<string, number> = {
  "call, balanceOf": 34,
  block: 12,
  balance: 12,
  receipt: 10,
  "logs of up to ten blocks": 8,
  transaction: 7,
  "chain ID": 6,
  "fee history, 20 blocks": 4,
  nonce: 4,
  "gas estimate, token transfer": 3,
};
const mixed = distinctRows.flatMap((row) => Array.from({ length: shares[row.name] ?? 0 }, () => row));

distinctRows.push({
  name: "a provider's mixture",
  isLive: true,
  ...ofMany,
  request: (chain, number) => {
    const row = at(mixed, number);
    return row.request(chain, number % row.count(chain));
  },
});
