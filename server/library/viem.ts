/** `tollscan/viem`: viem's chains, clients and accounts for a Tollscan. viem is a peer dependency. */
import {
  type Account,
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type HttpTransport,
  http,
  type LocalAccount,
  type PublicClient,
  type TestClient,
  type WalletClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { toCaip2 } from "@/lib/networks";
import { createRpcRequest } from "@/lib/rpc/client";
import { type PayFetchOptions, type PayFetchResult, payFetch } from "@/lib/x402/payFetch";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import { getNetwork } from "@/server/library/getNetwork";
import type { TollscanConnection } from "@/server/library/types";

/** In milliseconds. viem's default of several seconds is too slow if blocks are built immediately. */
const pollingInterval = 50;
const unlimited = 2n ** 256n - 1n;

/** Returns viem's chain object for a network; by default, for the first network. */
export function toChain(tollscan: TollscanConnection, network?: string): Chain {
  const { name, label, chainId, nativeCurrency, contracts, rpcUrl } = getNetwork(tollscan, network);
  return defineChain({
    id: chainId,
    name: `${label} (Tollscan)`,
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
    blockExplorers: { default: { name: "Tollscan", url: `${tollscan.url}/${name}` } },
    contracts: { multicall3: { address: contracts.multicall3 } },
  });
}

/** Returns a funded account; by default, the first. */
export function toAccount({ accounts }: TollscanConnection, index = 0): LocalAccount {
  const account = accounts[index];
  if (account) return privateKeyToAccount(account.privateKey);
  throw new TypeError(`Unknown account ${index}; there are ${accounts.length} funded accounts.`);
}

export type TollscanClients = {
  chain: Chain;
  publicClient: PublicClient<HttpTransport, Chain>;
  walletClient: WalletClient<HttpTransport, Chain, Account>;
  /** For anvil's methods: mining, time, balances, impersonation. */
  testClient: TestClient<"anvil", HttpTransport, Chain>;
};

/**
 * Creates viem's clients for a network; by default, for the first network. The wallet client uses the first funded
 * account by default.
 */
export function createClients(
  tollscan: TollscanConnection,
  network?: string,
  account: Account = toAccount(tollscan),
): TollscanClients {
  const chain = toChain(tollscan, network);
  const options = { chain, transport: http(), pollingInterval };
  return {
    chain,
    publicClient: createPublicClient({ ...options, cacheTime: 0 }),
    walletClient: createWalletClient({ ...options, account }),
    testClient: createTestClient({ ...options, mode: "anvil" }),
  };
}

export type PayingFetch = (
  url: string | URL,
  init?: PayFetchOptions["init"],
  options?: Omit<PayFetchOptions, "signer" | "init">,
) => Promise<PayFetchResult>;

/**
 * Returns a payFetch that pays from an account; by default, from the first funded one. It pays any amount in any of the
 * networks' tokens, and approves Permit2 if needed.
 */
export function createPayFetch(tollscan: TollscanConnection, account: LocalAccount = toAccount(tollscan)): PayingFetch {
  const byCaip2 = new Map(tollscan.networks.map((network) => [toCaip2(network.chainId) as string, network]));
  const getByCaip2 = (caip2: string) => getNetwork(tollscan, byCaip2.get(caip2)?.name ?? caip2);
  const access = createTokenAccess({
    owner: account.address,
    getRequest: (network) => createRpcRequest(getByCaip2(network).rpcUrl) as never,
    sendTransaction: (network, { to, data }) =>
      createClients(tollscan, getByCaip2(network).name, account).walletClient.sendTransaction({ to, data }),
  });
  const spendLimits = [...byCaip2].flatMap(([network, { tokens }]) =>
    tokens.map(({ address }) => ({ network, asset: address, maxUnits: unlimited })),
  );
  const signer = account as PayFetchOptions["signer"];
  return (url, init, options) => payFetch(url, { ...access, spendLimits, ...options, signer, ...(init && { init }) });
}
