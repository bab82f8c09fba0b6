/**
 * The rows of the JSON-RPC benchmark: requests to chains with the same contents. A row measures responses per second
 * unless it says otherwise.
 */
import { encodeFunctionData, type Hex, numberToHex, padHex } from "viem";
import { tokenAbi } from "@/lib/abi/token";
import { token } from "@/server/tools/bench/exactTerms";
import {
  type BenchChain,
  deployer,
  fullBlockTransactions,
  toTransferData,
  transferBlocks,
} from "@/server/tools/bench/rpcChain";
import { payee, payers } from "@/server/tools/bench/sides";

export type Row = {
  name: string;
  method: string;
  params(chain: BenchChain): unknown[];
  /** The call whose gas is estimated. Set for rows that are measured in gas per second. */
  gasOf?(chain: BenchChain): unknown[];
  /** Set for rows that mostly measure transport. These are also measured on a bare HTTP server. */
  isTransport?: boolean;
  /** How many requests run at once. Set if this differs from the other rows. */
  connections?: number;
};

const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const holder = payers[1]!.address;
/** Any slot works, because all slots cost the same to read. */
const someSlot = padHex("0x1", { size: 32 });
const balanceOf = { to: token, data: encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [holder] }) };
const transfer = { from: holder, to: token, data: toTransferData(1n) };
const toLoopCall = (to: Hex, count: number) => ({ from: deployer.address, to, data: numberToHex(count, { size: 32 }) });

/** For each loop, the number of iterations that uses about five million gas. */
const loopCounts = { hash: 70_000, arithmetic: 90_000, memory: 60_000 };

const toLoopRow = (loop: keyof typeof loopCounts): Row => {
  const toCall = ({ loops }: BenchChain) => toLoopCall(loops[loop], loopCounts[loop]);
  return {
    name: `eth_call, heavy: ${loop} loop, MGas/s`,
    method: "eth_call",
    params: (chain) => [toCall(chain), "latest"],
    gasOf: (chain) => [toCall(chain)],
    // Each side only runs two such calls at a time, so with more connections they would just queue.
    connections: 4,
  };
};

const toTraceRow = (tracer: string): Row => ({
  name: `debug_traceTransaction, ${tracer}`,
  method: "debug_traceTransaction",
  params: ({ payment }) => [payment, { tracer }],
});

export const rows: Row[] = [
  { name: "eth_chainId", isTransport: true, method: "eth_chainId", params: () => [] },
  { name: "eth_blockNumber", isTransport: true, method: "eth_blockNumber", params: () => [] },
  { name: "eth_getBalance", isTransport: true, method: "eth_getBalance", params: () => [holder, "latest"] },
  {
    name: "eth_getTransactionCount",
    isTransport: true,
    method: "eth_getTransactionCount",
    params: () => [holder, "latest"],
  },
  {
    name: "eth_getStorageAt",
    isTransport: true,
    method: "eth_getStorageAt",
    params: () => [token, someSlot, "latest"],
  },
  {
    name: "eth_getBlockByNumber, 1 full transaction",
    method: "eth_getBlockByNumber",
    params: ({ transferBlock }) => [numberToHex(transferBlock), true],
  },
  {
    name: `eth_getBlockByNumber, ${fullBlockTransactions} full transactions`,
    method: "eth_getBlockByNumber",
    params: ({ fullBlock }) => [numberToHex(fullBlock), true],
  },
  { name: "eth_getTransactionByHash", method: "eth_getTransactionByHash", params: ({ transfer }) => [transfer] },
  {
    name: "eth_getTransactionReceipt",
    isTransport: true,
    method: "eth_getTransactionReceipt",
    params: ({ transfer }) => [transfer],
  },
  {
    name: "eth_feeHistory, 20 blocks",
    isTransport: true,
    method: "eth_feeHistory",
    params: () => ["0x14", "latest", [25, 75]],
  },
  {
    name: `eth_getLogs, ${transferBlocks} blocks`,
    method: "eth_getLogs",
    params: ({ firstTransferBlock }) => [
      {
        address: token,
        topics: [transferTopic, null, padHex(payee, { size: 32 })],
        fromBlock: numberToHex(firstTransferBlock),
        toBlock: numberToHex(firstTransferBlock + transferBlocks - 1),
      },
    ],
  },
  { name: "eth_call, balanceOf", method: "eth_call", params: () => [balanceOf, "latest"] },
  {
    name: "eth_call, EIP-3009 transfer",
    method: "eth_call",
    params: ({ openPayment }) => [{ from: holder, to: token, data: openPayment }, "latest"],
  },
  toLoopRow("hash"),
  toLoopRow("arithmetic"),
  toLoopRow("memory"),
  { name: "eth_estimateGas, token transfer", method: "eth_estimateGas", params: () => [transfer] },
  { name: "eth_createAccessList, token transfer", method: "eth_createAccessList", params: () => [transfer, "latest"] },
  toTraceRow("callTracer"),
  toTraceRow("prestateTracer"),
];

export const toBody = (method: string, params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
