/**
 * The environment, read once and turned into a typed configuration. Throws ConfigError, one sentence that names the
 * variable, before anything is opened or written.
 */
import type { Network } from "@/lib/networks";

export type NetworkConfig = Network & {
  /** Address and balances at genesis; the well-known test mnemonic's ten by default. */
  funded: { address: `0x${string}`; balanceWei: bigint; tokenUnits: bigint }[];
};

/** Each limit answers an error that names it. */
export type Limits = {
  /** Bytes of a JSON-RPC or facilitator request body. */
  bodyBytes: number;
  /** Requests in one JSON-RPC batch. */
  batchLength: number;
  /** Bytes of one JSON-RPC answer. */
  responseBytes: number;
  /** eth_getLogs: blocks spanned, and logs answered. */
  logBlocks: number;
  logResults: number;
  feeHistoryBlocks: number;
  /** Gas and milliseconds of one call. */
  callGas: bigint;
  callTimeMs: number;
  /** Worker threads for calls, and calls that may wait for one. */
  callWorkers: number;
  callQueue: number;
  filters: number;
  subscriptions: number;
  poolTransactions: number;
  poolPerSender: number;
};

export type Config = {
  port: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The first is the default network. */
  networks: [NetworkConfig, ...NetworkConfig[]];
  /** Key of the account that sends settlements. Never logged. */
  facilitatorKey: `0x${string}`;
  limits: Limits;
};
