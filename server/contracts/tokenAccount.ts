/**
 * Genesis accounts of tokens: our Token or PlainToken with its metadata and balances written into storage, as if a
 * constructor had run. Invariant: totalSupply is the sum of the balances given.
 */
import type { GenesisAccount } from "@/server/chain/evm/executor";
import type { Address, Hex } from "@/server/chain/types";
import plainToken from "@/server/contracts/artifacts/PlainToken.json";
import token from "@/server/contracts/artifacts/Token.json";
import { createStorageWriter } from "@/server/contracts/storageSlots";

export type TokenAccount = {
  name: string;
  symbol: string;
  decimals: number;
  /** EIP-712 version of the domain; a token without EIP-3009 has no domain and ignores it. */
  version?: string;
  /** With EIP-3009 and EIP-2612, or a plain ERC-20 token. */
  eip3009: boolean;
  /** The account that may mint. */
  owner: Address;
  balances: readonly { address: Address; units: bigint }[];
};

/** A token for a genesis allocation; it works at any address of any chain. Throws where a value does not fit. */
export function toTokenAccount(wanted: TokenAccount): Required<GenesisAccount> {
  const artifact = wanted.eip3009 ? token : plainToken;
  const storage = createStorageWriter(artifact.storageLayout);
  storage.setValue("owner", BigInt(wanted.owner));
  storage.setValue("decimals", BigInt(wanted.decimals));
  storage.setString("name", wanted.name);
  storage.setString("symbol", wanted.symbol);
  if (wanted.eip3009) {
    if (!wanted.version) throw new Error(`Token ${wanted.symbol} has EIP-3009 and needs an EIP-712 version.`);
    storage.setString("version", wanted.version);
  }
  storage.setValue(
    "totalSupply",
    wanted.balances.reduce((sum, { units }) => sum + units, 0n),
  );
  for (const { address, units } of wanted.balances) storage.addToMapping("balanceOf", address, units);
  // EIP-161: an account made by a contract creation starts with nonce 1.
  return { balance: 0n, nonce: 1n, code: artifact.runtime as Hex, storage: storage.toStorage() };
}
