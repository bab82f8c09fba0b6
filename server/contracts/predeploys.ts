/**
 * The contracts that payments rely on, as genesis accounts: those that a network gives addresses to, and tokens with
 * their metadata and balances. Invariant: the code is compiled from this folder and placed as if a constructor had
 * run, so that a code hash here is not the public network's.
 */
import { keccak256 } from "viem";
import { type Contracts, canonicalContracts, contractNames, isSameAddress } from "@/lib/contracts";
import multicall3 from "@/server/contracts/artifacts/Multicall3.json" with { type: "json" };
import permit2 from "@/server/contracts/artifacts/Permit2.json" with { type: "json" };
import plainToken from "@/server/contracts/artifacts/PlainToken.json" with { type: "json" };
import token from "@/server/contracts/artifacts/Token.json" with { type: "json" };
import exactProxy from "@/server/contracts/artifacts/X402ExactPermit2Proxy.json" with { type: "json" };
import uptoProxy from "@/server/contracts/artifacts/X402UptoPermit2Proxy.json" with { type: "json" };
import { create2DeployerCodeHash, create2DeployerRuntime } from "@/server/contracts/create2Deployer";
import { movePermit2 } from "@/server/contracts/movePermit2";
import { createStorageWriter } from "@/server/contracts/storageSlots";
import type { Address, GenesisAccount, Hash, Hex } from "@/server/ethereum/types";

export type Predeploy = {
  /** Lowercase. */
  address: Address;
  name: string;
  account: Required<GenesisAccount>;
  /** keccak256 of the code. */
  codeHash: Hash;
  /** One sentence for people. */
  note: string;
};

/** Every contract of a genesis allocation but the tokens. None of them needs storage. */
export function listPredeploys(contracts: Contracts): Predeploy[] {
  const toProxyCode = ({ runtime, codeHash }: Code): Code => {
    if (isSameAddress(contracts.permit2, canonicalContracts.permit2)) return { runtime, codeHash };
    const moved = movePermit2(runtime as Hex, toLowercase(contracts.permit2));
    return { runtime: moved, codeHash: keccak256(moved) };
  };
  const toPredeploy = (key: keyof Contracts, { runtime, codeHash }: Code, note: string): Predeploy => ({
    address: toLowercase(contracts[key]),
    name: contractNames[key],
    // EIP-161: an account made by a contract creation starts with nonce 1.
    account: { balance: 0n, nonce: 1n, code: runtime as Hex, storage: {} },
    codeHash: codeHash as Hash,
    note,
  });
  return [
    toPredeploy("permit2", permit2, "Moves tokens by signature for payers who approved it once."),
    toPredeploy(
      "exactPermit2Proxy",
      toProxyCode(exactProxy),
      "Settles x402 payments of the exact scheme through Permit2.",
    ),
    toPredeploy(
      "uptoPermit2Proxy",
      toProxyCode(uptoProxy),
      "Settles x402 payments of the upto scheme through Permit2.",
    ),
    toPredeploy("multicall3", multicall3, "Makes many calls in one, all on the same state."),
    toPredeploy(
      "create2Deployer",
      { runtime: create2DeployerRuntime, codeHash: create2DeployerCodeHash },
      "Deploys contracts at addresses that depend on salt and creation code alone.",
    ),
  ];
}

type Code = { runtime: string; codeHash: string };

function toLowercase(address: Hex): Address {
  return address.toLowerCase() as Address;
}

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

/**
 * A token for a genesis allocation; it works at any address of any chain. totalSupply is the sum of the balances given.
 * Throws where a value does not fit its type.
 */
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
