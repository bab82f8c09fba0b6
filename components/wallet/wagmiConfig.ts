/**
 * The page's only wagmi configuration: this node's networks, guarded EIP-6963 wallets, and the burner account. Every
 * caller gets the same object.
 */
import type { Chain } from "viem";
import { type Config, createConfig, http } from "wagmi";
import { reconnect } from "wagmi/actions";
import { type PageNetwork, toRpcPath } from "@/lib/networks";
import { toViemChain } from "@/lib/rpc/viem";
import { burnerConnector } from "./burnerConnector";
import { guardAnnouncedWallets } from "./guardWallet";

let config: Config | undefined;
let isStarted = false;

/** @param networks the node's networks, starting with the default one. Must be the same list on every call. */
export function getWagmiConfig(networks: readonly [PageNetwork, ...PageNetwork[]]): Config {
  if (config) return config;
  const { origin } = window.location;
  const [first, ...rest] = networks;
  const chains: [Chain, ...Chain[]] = [
    toViemChain(first, origin),
    ...rest.map((network) => toViemChain(network, origin)),
  ];
  guardAnnouncedWallets(networks);
  config = createConfig({
    chains,
    transports: Object.fromEntries(
      networks.map((network) => [network.chainId, http(`${origin}${toRpcPath(network)}`)]),
    ),
    connectors: networks.some((network) => network.embedded) ? [burnerConnector(networks)] : [],
    multiInjectedProviderDiscovery: true,
  });
  return config;
}

/** Restores the connection from an earlier visit. Only the first call has an effect. */
export function startWagmi(config: Config): void {
  if (isStarted) return;
  isStarted = true;
  void reconnect(config);
}
