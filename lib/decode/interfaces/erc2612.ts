/**
 * EIP-2612 permits, with the form for signatures of any length that dollar tokens added, and EIP-5267's description of
 * a signing domain.
 */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const erc2612: Interface = {
  name: "EIP-2612",
  abi: parseAbi([
    "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
    "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
    "function PERMIT_TYPEHASH() view returns (bytes32)",
    "function nonces(address owner) view returns (uint256)",
    "function DOMAIN_SEPARATOR() view returns (bytes32)",
    "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
    "event EIP712DomainChanged()",
  ]),
};
