/**
 * The two errors that the Solidity compiler makes.
 */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const solidity: Interface = {
  name: "Solidity",
  abi: parseAbi(["error Error(string message)", "error Panic(uint256 code)"]),
};
