/**
 * The first block of a chain. A genesis depends only on the configuration, so the same configuration gives the same
 * hash on every machine.
 */

import { faucetIndex, getDevAccount } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { listPredeploys, toTokenAccount } from "@/server/contracts/predeploys";
import { toBlockSize } from "@/server/ethereum/codec/block";
import { emptyBloom } from "@/server/ethereum/codec/bloom";
import { toHex } from "@/server/ethereum/codec/bytes";
import { emptyOmmersHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec, ForkName } from "@/server/ethereum/spec";
import { systemContracts } from "@/server/ethereum/systemContracts";
import type {
  Address,
  Block,
  Genesis,
  GenesisAccount,
  Hash,
  Hex,
  StateChanges,
  TokenHoldings,
} from "@/server/ethereum/types";
import type { Executor } from "@/server/ports/executor";

/** A genesis block with its computed roots, ready to be committed. */
export type GenesisBlock = { block: Block; state: StateChanges; holdings: TokenHoldings };

const zeroHash: Hash = `0x${"00".repeat(32)}`;
const zeroAddress: Address = `0x${"00".repeat(20)}`;
/** SHA-256 of an empty input: the commitment to an empty request list (EIP-7685). */
const emptyRequestsHash: Hash = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/** 2026-01-01T00:00:00Z. This is in the past on every machine, so the first block can use the real time. */
const genesisTimestamp = 1_767_225_600;
const blockGasLimit = 150_000_000n;
const oneGwei = 1_000_000_000n;
/**
 * Hardforks whose headers have the same fields as those of the next hardfork. A genesis for one of them includes the
 * hardfork's name, so that a chain can't be reopened with another hardfork's rules.
 */
const namedForks: readonly ForkName[] = ["london", "prague"];
/**
 * The balance of the faucet's account, unless the configuration funds that account. It also pays for the facilitator's
 * gas.
 */
const faucetBalanceWei = 10_000n * 10n ** 18n;

/**
 * The genesis of an embedded network: its funded accounts, the faucet's account, the tokens, and the contracts that
 * payments and consensus need. The first funded account owns the tokens and may mint them.
 */
export function createGenesis(network: NetworkConfig, spec: ChainSpec): Genesis {
  const { timestamp = genesisTimestamp, gasLimit = blockGasLimit, baseFee = oneGwei } = network.settings;
  const { hardfork = "osaka" } = network.settings;
  const alloc: Record<Address, GenesisAccount> = {};
  for (const contract of systemContracts) {
    if (isForkActive(spec, contract.fork, { number: 0, timestamp })) {
      alloc[contract.address] = contract.account;
    }
  }
  Object.assign(alloc, Object.fromEntries(listPredeploys(network.contracts, spec.chainId)));
  const holdings = toHoldings(network);
  const owner = toLowercase(network.funded[0]?.address ?? zeroAddress);
  for (const token of network.tokens) {
    alloc[toLowercase(token.address)] = toTokenAccount({
      name: token.eip712?.name ?? token.symbol,
      symbol: token.symbol,
      decimals: token.decimals,
      ...(token.eip712 ? { version: token.eip712.version } : {}),
      // `eip3009` selects the token contract that supports both EIP-3009 and EIP-2612. A token that supports neither
      // uses the plain contract, even if an EIP-712 domain is configured.
      eip3009: token.eip3009 || token.eip2612 === true,
      owner,
      balances: holdings.filter((holding) => holding.token === toLowercase(token.address)),
    });
  }
  alloc[getDevAccount(faucetIndex).address] = { balance: faucetBalanceWei };
  for (const { address, balanceWei } of network.funded) {
    const key = toLowercase(address);
    alloc[key] = { ...alloc[key], balance: balanceWei };
  }
  return {
    alloc,
    gasLimit,
    timestamp,
    baseFeePerGas: baseFee,
    difficulty: 0n,
    coinbase: zeroAddress,
    extraData: namedForks.includes(hardfork) ? toHex(new TextEncoder().encode(hardfork)) : "0x",
    mixHash: zeroHash,
    nonce: "0x0000000000000000",
    excessBlobGas: 0n,
    blobGasUsed: 0n,
    holdings,
  };
}

/**
 * Each funded account gets the same amount of every token. The configured amount is in the first token's units. For the
 * other tokens, it is converted and rounded down.
 */
function toHoldings({ tokens, funded }: NetworkConfig): TokenHoldings {
  const unit = 10n ** BigInt(tokens[0]?.decimals ?? 0);
  return tokens.flatMap((token) =>
    funded.map(({ address, tokenUnits }) => ({
      token: toLowercase(token.address),
      address: toLowercase(address),
      units: (tokenUnits * 10n ** BigInt(token.decimals)) / unit,
    })),
  );
}

/** Computes a genesis's state root, block and hash. */
export async function buildGenesis(executor: Executor, spec: ChainSpec, genesis: Genesis): Promise<GenesisBlock> {
  const { state, stateRoot } = await executor.run({ kind: "genesis", spec, alloc: genesis.alloc });
  const isActive = (fork: Parameters<typeof isForkActive>[1]) =>
    isForkActive(spec, fork, { number: 0, timestamp: genesis.timestamp });
  const hasWithdrawals = isActive("shanghai");
  const header = toHeader({
    parentHash: zeroHash,
    ommersHash: emptyOmmersHash,
    coinbase: genesis.coinbase,
    stateRoot,
    transactionsRoot: emptyTrieRoot,
    receiptsRoot: emptyTrieRoot,
    logsBloom: emptyBloom,
    difficulty: genesis.difficulty,
    number: 0,
    gasLimit: genesis.gasLimit,
    gasUsed: 0n,
    timestamp: genesis.timestamp,
    extraData: genesis.extraData,
    mixHash: genesis.mixHash,
    nonce: genesis.nonce,
    ...(isActive("london") ? { baseFeePerGas: genesis.baseFeePerGas } : {}),
    ...(hasWithdrawals ? { withdrawalsRoot: emptyTrieRoot } : {}),
    ...(isActive("cancun")
      ? {
          blobGasUsed: genesis.blobGasUsed,
          excessBlobGas: genesis.excessBlobGas,
          parentBeaconBlockRoot: zeroHash,
        }
      : {}),
    ...(isActive("prague") ? { requestsHash: emptyRequestsHash } : {}),
  });
  const parts = { header, transactions: [], ommers: [], ...(hasWithdrawals ? { withdrawals: [] } : {}) };
  return { block: { ...parts, size: toBlockSize(parts) }, state, holdings: genesis.holdings ?? [] };
}

function toLowercase(address: Hex): Address {
  return address.toLowerCase() as Address;
}
