/**
 * The code of public contracts, byte for byte as deployed. It comes from published packages
 * (server/bin/publicContracts.mjs), and each contract's creation code ends with its deployed code. Permit2's
 * constructor writes two immutables into the deployed code.
 */
import { domainSeparator, parseTransaction } from "viem";
import published from "@/.cache/publicContracts.json" with { type: "json" };
import { toWord } from "@/server/ethereum/codec/bytes";
import type { Address, Hex } from "@/server/ethereum/types";

export const permit2CreationCode: Hex = published.permit2;
/**
 * A deployment transaction that is valid on every chain. Its sender sends no other transaction, so the contract has the
 * same address everywhere.
 */
export const multicall3Deployment: Hex = published.multicall3;
export const create2DeployerCreationCode: Hex = published.create2Deployer;

/** Sizes of deployed code, in bytes. */
const sizes = { permit2: 9152, multicall3: 3808, create2Deployer: 69 };
/** The byte offsets where Permit2's code pushes its immutables. */
const immutables = { chainId: 6945, domainSeparator: 6983 };

export const multicall3Code = toEnd(parseTransaction(multicall3Deployment).data ?? "0x", sizes.multicall3);
export const create2DeployerCode = toEnd(create2DeployerCreationCode, sizes.create2Deployer);

/** Permit2's code as its constructor leaves it, for a chain ID and a contract address. */
export function toPermit2Code(chainId: number, address: Address): Hex {
  const code = toEnd(permit2CreationCode, sizes.permit2);
  const withChainId = replaceWord(code, immutables.chainId, toWord(BigInt(chainId)));
  const domain = { name: "Permit2", chainId, verifyingContract: address };
  return replaceWord(withChainId, immutables.domainSeparator, domainSeparator({ domain }));
}

function toEnd(code: Hex, size: number): Hex {
  return `0x${code.slice(-2 * size)}`;
}

function replaceWord(code: Hex, offset: number, word: Hex): Hex {
  const start = 2 + 2 * offset;
  return `0x${code.slice(2, start)}${word.slice(2)}${code.slice(start + 64)}`;
}
