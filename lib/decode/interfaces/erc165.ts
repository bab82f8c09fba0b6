/**
 * ERC-165, and ERC-1271 beside it: the two questions that contracts ask of each other.
 */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const erc165: Interface = {
  name: "ERC-165",
  abi: parseAbi([
    "function supportsInterface(bytes4 interfaceId) view returns (bool)",
    "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
  ]),
};
