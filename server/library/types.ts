/**
 * The options and the result of createTollscan. The npm package exports these types, so they depend on few other types.
 */
import type { Network } from "@/lib/networks";
import type { Hex } from "@/lib/x402/types";
import type { Limits } from "@/server/config/config";
import type { Start } from "@/server/node/startBanner";

/** How chains start and build blocks. The names are anvil's. */
export type ChainOptions = {
  /** A BIP-39 phrase to use instead of the public test mnemonic. */
  mnemonic?: string;
  /** How many accounts of the mnemonic have funds; 10 by default. */
  accounts?: number;
  /** Each funded account's balance in native tokens, such as "0.5"; 10,000 by default. */
  balance?: number | string;
  /** Seconds between two blocks; by default, a block is built as soon as a transaction is pending. */
  blockTime?: number;
  /** If a block time is set, also builds a block as soon as a transaction is pending. */
  mixedMining?: boolean;
  /** Builds blocks only on request. */
  noMining?: boolean;
  order?: "fees" | "fifo";
  /** Unix time of the genesis block, in seconds. */
  timestamp?: number;
  /** Behaves like Hardhat's node instead of anvil. The README lists the differences. */
  hardhat?: boolean;
  /** Prefix of the web3_clientVersion result. */
  clientName?: string;
  /** The newest hardfork, such as "cancun". */
  hardfork?: string;
  gasLimit?: number | bigint;
  /** Base fee of the genesis block, in wei. */
  baseFee?: number | bigint;
  /** The suggested priority fee while blocks have room, in wei. */
  priorityFee?: number | bigint;
  /** The maximum size of a contract's code, in bytes. */
  codeSizeLimit?: number;
  disableCodeSizeLimit?: boolean;
  disableTxGasLimit?: boolean;
};

/** Your own network, or changes to a known network. */
export type NetworkOptions = (
  | ({ preset: string } & Partial<NetworkFields>)
  | (Pick<NetworkFields, "name" | "chainId" | "nativeCurrency" | "tokens"> & Partial<NetworkFields>)
) &
  ChainOptions & {
    contracts?: Partial<Network["contracts"]>;
    /** Accounts with funds at genesis. Replaces the mnemonic's accounts. */
    funded?: readonly { address: Hex; balanceWei: bigint | string; tokenUnits: bigint | string }[];
  };

type NetworkFields = Pick<Network, "name" | "label" | "chainId" | "nativeCurrency" | "tokens">;

export type TollscanOptions = ChainOptions & {
  /** Names such as "base-sepolia" (see the README), or your own networks. The first is the default. */
  networks?: readonly (string | NetworkOptions)[];
  /** The port to listen on; by default, a free port. */
  port?: number;
  /** Address to listen on; by default, only this machine can connect. */
  host?: string;
  /** File with the first network's state in anvil's format: loaded if it exists, and written by `stop`. */
  state?: string;
  /** Loads the first network's state from this file. */
  loadState?: string;
  /** A JSON file with names for addresses, which every page shows. */
  labels?: string;
  /** `stop` writes the first network's state to this file. */
  dumpState?: string;
  /** Also serves the explorer's pages. The node then runs in a separate process. */
  pages?: boolean;
  limits?: { [limit in keyof Limits]?: number | bigint };
};

/** What another process needs to reach a Tollscan. It is plain data, so it can be sent to that process. */
export type TollscanConnection = Omit<Start, "accounts"> & {
  /** Funded accounts. Their keys are public, so never use them for real funds. */
  accounts: TestAccount[];
};

export type TestAccount = { address: Hex; privateKey: Hex };

export type FundOptions = {
  /** The network's name; by default, the first network is used. */
  network?: string;
  /** The amount of native tokens as a decimal number, such as "0.5". */
  native?: string;
  /** The amount of each token, by symbol, such as { USDC: "100" }. */
  tokens?: Readonly<Record<string, string>>;
};

/** The IDs that evm_snapshot returned, by network. */
export type TollscanSnapshot = Readonly<Record<string, string>>;

/** A running Tollscan, here or in another process. */
export type TollscanClient = TollscanConnection & {
  /** Returns a network's JSON-RPC endpoint; by default, the first network's. Throws if there is no such network. */
  rpcUrl(network?: string): string;
  /**
   * Sends funds from a test account and waits until they arrive. By default, sends 10 native tokens and 100 of each
   * token.
   */
  fund(address: Hex, options?: FundOptions): Promise<void>;
  /** Takes a snapshot of one network; by default, of all networks. */
  snapshot(network?: string): Promise<TollscanSnapshot>;
  /** Reverts to a snapshot. Each snapshot can be used only once. */
  revert(snapshot: TollscanSnapshot): Promise<void>;
  /** Resets one network to its genesis block; by default, resets all networks. */
  reset(network?: string): Promise<void>;
  /** Returns the connection, which another process can pass to connectTollscan. */
  toJSON(): TollscanConnection;
};

/** A Tollscan that this process runs. */
export type Tollscan = TollscanClient & {
  /** Stops the Tollscan and deletes its data. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};
