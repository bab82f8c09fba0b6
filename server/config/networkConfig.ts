/** A network as it is configured, before anything of it is opened. */
import type { Network } from "@/lib/networks";

export type NetworkConfig = Network & {
  /**
   * Address and balances at genesis; the well-known test mnemonic's ten by default. tokenUnits is in units of the first
   * token, and as much is held of each other one.
   */
  funded: { address: `0x${string}`; balanceWei: bigint; tokenUnits: bigint }[];
  /** Absolute path of a geth genesis.json that the chain starts from in place of our own. */
  genesisFile?: string;
};

/** The first is the default network. */
export type NetworkConfigs = [NetworkConfig, ...NetworkConfig[]];
