/** A network's configuration, before anything is opened. */
import type { Network, NetworkProfile } from "@/lib/networks";
import type { DevAccount } from "@/server/config/devAccounts";
import type { ChainSettings } from "@/server/config/environment.mjs";

export type NetworkConfig = Network & {
  profile: NetworkProfile;
  /**
   * The accounts that have funds at genesis; by default, ten accounts of the test mnemonic. `tokenUnits` is in units of
   * the first token. The account gets the same amount of every other token.
   */
  funded: { address: `0x${string}`; balanceWei: bigint; tokenUnits: bigint }[];
  /** Accounts that this node signs for if dev controls are on. Never serve or log their keys unless they are public. */
  accounts: readonly DevAccount[];
  /** How the chain starts and builds blocks, if this node runs it. */
  settings: Omit<ChainSettings, "mnemonic" | "accounts" | "balance">;
  /** The absolute path of a geth genesis.json. If set, the chain starts from that genesis instead of our own. */
  genesisFile?: string;
};

/** The first is the default network. */
export type NetworkConfigs = [NetworkConfig, ...NetworkConfig[]];
