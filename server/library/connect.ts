/**
 * The functions that a test suite uses to control a Tollscan over JSON-RPC, from any process. They keep using the
 * original `fetch`, even if a suite replaces it later.
 */
import { createRpcRequest, type RpcRequest } from "@/lib/rpc/client";
import { toUnits } from "@/lib/x402/price";
import { toCalldata } from "@/lib/x402/tokenCalls";
import { getNetwork } from "@/server/library/getNetwork";
import type { FundOptions, TollscanClient, TollscanConnection, TollscanSnapshot } from "@/server/library/types";
import type { StartNetwork } from "@/server/node/startBanner";

const { fetch } = globalThis;
/** The faucet also sends transactions from this account, so `fund` prefers other accounts. */
const faucet = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";
const defaultNative = "10";
const defaultTokens = "100";

/** Returns a client for a Tollscan that another process runs. `connection` is the result of its `tollscan.toJSON()`. */
export function connectTollscan(connection: TollscanConnection): TollscanClient {
  const { networks } = connection;
  const listNetworks = (name: string | undefined) => (name === undefined ? networks : [getNetwork(connection, name)]);
  return {
    ...connection,
    rpcUrl: (network) => getNetwork(connection, network).rpcUrl,
    fund: (address, options = {}) => fund(connection, getNetwork(connection, options.network), address, options),
    async snapshot(name) {
      const taken = listNetworks(name).map(async (network) => {
        return [network.name, await toRequest(network)({ method: "evm_snapshot" })];
      });
      return Object.fromEntries(await Promise.all(taken)) as TollscanSnapshot;
    },
    async revert(snapshot) {
      const reverted = Object.entries(snapshot).map(async ([name, id]) => {
        if (await toRequest(getNetwork(connection, name))({ method: "evm_revert", params: [id] })) return;
        throw new Error(`${name} has no snapshot ${id}: a revert or a reset removed it.`);
      });
      await Promise.all(reverted);
    },
    async reset(name) {
      await Promise.all(listNetworks(name).map((network) => toRequest(network)({ method: "anvil_reset" })));
    },
    toJSON: () => connection,
  };
}

const toHex = (value: bigint) => `0x${value.toString(16)}` as const;
const toRequest = ({ rpcUrl }: StartNetwork): RpcRequest => createRpcRequest(rpcUrl, fetch);

async function fund(
  { accounts }: TollscanConnection,
  { name, tokens, nativeCurrency, rpcUrl }: StartNetwork,
  address: `0x${string}`,
  { native, tokens: amounts }: FundOptions,
): Promise<void> {
  const from = (accounts.findLast((account) => account.address !== faucet) ?? accounts.at(-1))?.address;
  if (from === undefined) throw new Error(`${name} has no funded accounts.`);
  const isDefault = native === undefined && amounts === undefined;
  const wanted = amounts ?? (isDefault ? Object.fromEntries(tokens.map(({ symbol }) => [symbol, defaultTokens])) : {});
  const transfers = Object.entries(wanted).map(([symbol, amount]) => {
    const token = tokens.find((candidate) => candidate.symbol === symbol);
    if (!token)
      throw new TypeError(`${name} has no token ${symbol}; it has ${tokens.map((one) => one.symbol).join(", ")}.`);
    return { to: token.address, data: toCalldata("transfer", address, toUnits(amount, token.decimals)) };
  });
  const wei = toUnits(native ?? (isDefault ? defaultNative : "0"), nativeCurrency.decimals);
  const request = createRpcRequest(rpcUrl, fetch);
  let hash: `0x${string}` | undefined;
  for (const transaction of [...(wei > 0n ? [{ to: address, value: toHex(wei) }] : []), ...transfers]) {
    // The estimate fails if the transfer would. Without it, the node would mine the failing transfer.
    const gas = await request({ method: "eth_estimateGas", params: [{ from, ...transaction }] });
    hash = await request({ method: "eth_sendTransaction", params: [{ from, ...transaction, gas }] });
  }
  // If the last transaction isn't mined yet, builds a block.
  const receipt = hash && (await request({ method: "eth_getTransactionReceipt", params: [hash] }));
  if (receipt === null) await request({ method: "evm_mine" });
}
