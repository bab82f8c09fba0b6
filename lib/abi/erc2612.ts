/** ABI of EIP-2612 permits, including the overload that dollar tokens added for signatures of arbitrary length. */
import { parseAbi } from "viem";

export const erc2612Abi = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
  "function PERMIT_TYPEHASH() view returns (bytes32)",
  "function nonces(address owner) view returns (uint256)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
]);
