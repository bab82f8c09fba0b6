/** The names that pages and search use for addresses on a network. */
import { type AddressName, toLabelNames } from "@/lib/names";
import { listNetworkNames } from "@/lib/networkNames";
import type { Config } from "@/server/config/config";
import { faucetIndex, getDevAccount, listFundedAccounts } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Signers } from "@/server/node/nodeKeys";

/** How many funded accounts get a name. The number is limited because every page contains all names. */
const namedAccounts = 100;

/**
 * If an address has several names, the last one wins. The node's own accounts are only included if `signers` is given.
 */
export function listNames(
  { labels }: Pick<Config, "labels">,
  network: NetworkConfig,
  signers?: Pick<Signers, "toAccounts" | "payTo">,
): AddressName[] {
  const toAccount = (address: string, name: string): AddressName => ({
    address: address.toLowerCase(),
    name,
    kind: "account",
  });
  const funded = listFundedAccounts(network).slice(0, namedAccounts);
  const facilitators = signers?.toAccounts(network) ?? [];
  return [
    ...funded.map(({ address, index }, at) => toAccount(address, `Account ${index ?? at}`)),
    ...(network.embedded ? [toAccount(getDevAccount(faucetIndex).address, "Faucet")] : []),
    ...listNetworkNames(network),
    ...(signers && network.tokens.length > 0 ? [toAccount(signers.payTo, "Demo seller")] : []),
    ...facilitators.map(({ address }, at) => toAccount(address, at === 0 ? "Facilitator" : `Facilitator ${at + 1}`)),
    ...toLabelNames(labels),
  ];
}
