/**
 * The CREATE2 deployer at 0x4e59b44847b379578588920cA78FbF26c0B4956C, assembled by hand: its calldata is a 32-byte salt
 * followed by creation code, its answer the 20 bytes of the new address, without ABI encoding. Invariant: the address
 * depends on salt and creation code alone, because it is this account that creates.
 */
import { keccak256 } from "viem";
import type { Hex } from "@/server/ethereum/types";

/** Bytes of one instruction, its name, and the stack after it (top last). */
const program: readonly (readonly [code: string, instruction: string, stack: string])[] = [
  ["6020", "PUSH1 32", "32"],
  ["36", "CALLDATASIZE", "32, length"],
  // With less than 32 bytes this wraps around, and copying that much memory takes all gas: the call fails.
  ["03", "SUB", "size"],
  ["80", "DUP1", "size, size"],
  ["6020", "PUSH1 32", "size, size, 32"],
  ["5f", "PUSH0", "size, size, 32, 0"],
  ["37", "CALLDATACOPY", "size"],
  ["5f", "PUSH0", "size, 0"],
  ["35", "CALLDATALOAD", "size, salt"],
  ["90", "SWAP1", "salt, size"],
  ["5f", "PUSH0", "salt, size, 0"],
  ["34", "CALLVALUE", "salt, size, 0, value"],
  ["f5", "CREATE2", "address"],
  ["80", "DUP1", "address, address"],
  ["6016", "PUSH1 22", "address, address, 22"],
  ["57", "JUMPI", "address"],
  // No reason is passed on, whether the creation code reverted or the address is taken.
  ["5f", "PUSH0", "address, 0"],
  ["80", "DUP1", "address, 0, 0"],
  ["fd", "REVERT", ""],
  ["5b", "JUMPDEST (22)", "address"],
  ["5f", "PUSH0", "address, 0"],
  ["52", "MSTORE", ""],
  // An address fills the lower 20 bytes of its word.
  ["6014", "PUSH1 20", "20"],
  ["600c", "PUSH1 12", "20, 12"],
  ["f3", "RETURN", ""],
];

export const create2DeployerRuntime: Hex = `0x${program.map(([code]) => code).join("")}`;
export const create2DeployerCodeHash: Hex = keccak256(create2DeployerRuntime);
