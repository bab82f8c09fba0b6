/** A network as configured, before anything is opened. */
import type { Network, NetworkProfile } from "@/lib/networks";

export type NetworkConfig = Network & {
  profile: NetworkProfile;
  /**
   * Address and balances at genesis; by default, the ten accounts of the test mnemonic. `tokenUnits` is in units of the
   * first token, and the account gets the same amount of every other token.
   */
  funded: { address: `0x${string}`; balanceWei: bigint; tokenUnits: bigint }[];
  /** Absolute path of a geth genesis.json that the chain starts from instead of our own. */
  genesisFile?: string;
};

/** The first is the default network. */
export type NetworkConfigs = [NetworkConfig, ...NetworkConfig[]];
