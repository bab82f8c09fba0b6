/**
 * Calls to EIP-7702 delegated accounts: ERC-7821 and ERC-7579 batches, and the simple execute function that many
 * accounts have.
 */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const delegatedAccount: Interface = {
  name: "Smart account",
  abi: parseAbi([
    "struct Call { address target; uint256 value; bytes data; }",
    "function execute(bytes32 mode, bytes executionData) payable",
    "function execute(address target, uint256 value, bytes data) payable",
    "function executeBatch(Call[] calls) payable",
    "function executeBatch(address[] targets, uint256[] values, bytes[] datas)",
    "function execute(Call[] calls) payable",
    "function supportsExecutionMode(bytes32 mode) view returns (bool)",
    "function installModule(uint256 moduleType, address module, bytes initData) payable",
    "function uninstallModule(uint256 moduleType, address module, bytes deInitData) payable",
  ]),
};
