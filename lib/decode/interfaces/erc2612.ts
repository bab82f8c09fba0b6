/** EIP-2612 permits with the signing domain's version, and EIP-5267's signing domain description. */
import { parseAbi } from "viem";
import { erc2612Abi } from "@/lib/abi/erc2612";
import type { Interface } from "@/lib/decode/decoder";

export const erc2612: Interface = {
  name: "EIP-2612",
  abi: [
    ...erc2612Abi,
    ...parseAbi([
      "function version() view returns (string)",
      "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
      "event EIP712DomainChanged()",
    ]),
  ],
};
