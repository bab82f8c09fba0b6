/** The two errors built into the Solidity compiler. */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const solidity: Interface = {
  name: "Solidity",
  abi: parseAbi(["error Error(string message)", "error Panic(uint256 code)"]),
};
