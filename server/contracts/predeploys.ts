/**
 * Genesis accounts for the contracts that payments rely on, and for the tokens with their metadata and balances. Each
 * account looks exactly as it would after a deployment.
 */
import { type Contracts, canonicalContracts, contractKeys, isSameAddress } from "@/lib/contracts";
import plainToken from "@/server/contracts/artifacts/PlainToken.json" with { type: "json" };
import token from "@/server/contracts/artifacts/Token.json" with { type: "json" };
import exactProxy from "@/server/contracts/artifacts/X402ExactPermit2Proxy.json" with { type: "json" };
import uptoProxy from "@/server/contracts/artifacts/X402UptoPermit2Proxy.json" with { type: "json" };
import { movePermit2 } from "@/server/contracts/movePermit2";
import { create2DeployerCode, multicall3Code, toPermit2Code } from "@/server/contracts/publicCode";
import { createStorageWriter } from "@/server/contracts/storageSlots";
import type { Address, GenesisAccount, Hash, Hex } from "@/server/ethereum/types";

/** Every contract in a chain's genesis allocation except the tokens, by lowercase address. */
export function listPredeploys(contracts: Contracts, chainId: number): [Address, Required<GenesisAccount>][] {
  const toProxyCode = (runtime: string): Hex =>
    isSameAddress(contracts.permit2, canonicalContracts.permit2)
      ? (runtime as Hex)
      : movePermit2(runtime as Hex, toLowercase(contracts.permit2));
  const codes: Record<keyof Contracts, Hex> = {
    permit2: toPermit2Code(chainId, contracts.permit2),
    exactPermit2Proxy: toProxyCode(exactProxy.runtime),
    uptoPermit2Proxy: toProxyCode(uptoProxy.runtime),
    multicall3: multicall3Code,
    create2Deployer: create2DeployerCode,
  };
  return contractKeys.map((key) => [toLowercase(contracts[key]), toCreated(codes[key])]);
}

/** A newly created contract starts with nonce 1 (EIP-161). */
function toCreated(code: Hex, storage: Record<Hash, Hash> = {}): Required<GenesisAccount> {
  return { balance: 0n, nonce: 1n, code, storage };
}

function toLowercase(address: Hex): Address {
  return address.toLowerCase() as Address;
}

export type TokenAccount = {
  name: string;
  symbol: string;
  decimals: number;
  /** The version in the token's EIP-712 domain. Ignored if `eip3009` is false, because such a token has no domain. */
  version?: string;
  /** If true, the token supports EIP-3009 and EIP-2612; otherwise it is a plain ERC-20 token. */
  eip3009: boolean;
  /** The account that may mint tokens. */
  owner: Address;
  balances: readonly { address: Address; units: bigint }[];
};

/**
 * A token's account for a genesis allocation. It works at any address on any chain. Its totalSupply is the sum of the
 * given balances. Throws if a value does not fit its type.
 */
export function toTokenAccount(wanted: TokenAccount): Required<GenesisAccount> {
  const artifact = wanted.eip3009 ? token : plainToken;
  const storage = createStorageWriter(artifact.storageLayout);
  storage.setValue("owner", BigInt(wanted.owner));
  storage.setValue("decimals", BigInt(wanted.decimals));
  storage.setString("name", wanted.name);
  storage.setString("symbol", wanted.symbol);
  if (wanted.eip3009) {
    if (!wanted.version) throw new Error(`Token ${wanted.symbol} supports EIP-3009, so it needs an EIP-712 version.`);
    storage.setString("version", wanted.version);
  }
  storage.setValue(
    "totalSupply",
    wanted.balances.reduce((sum, { units }) => sum + units, 0n),
  );
  for (const { address, units } of wanted.balances) storage.addToMapping("balanceOf", address, units);
  return toCreated(artifact.runtime as Hex, storage.toStorage());
}
