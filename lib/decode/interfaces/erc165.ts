/** ERC-165, which reports the interfaces that a contract supports, and ERC-1271, which validates a contract's signatures. */
import { parseAbi } from "viem";
import { erc1271Abi } from "@/lib/abi/erc1271";
import type { Interface } from "@/lib/decode/decoder";

export const erc165: Interface = {
  name: "ERC-165",
  abi: [...parseAbi(["function supportsInterface(bytes4 interfaceId) view returns (bool)"]), ...erc1271Abi],
};
