/**
 * ABI of a payment token: ERC-20, EIP-2612, EIP-3009, and the functions for its issuer. The Token contract in
 * server/contracts implements every entry.
 */
import { parseAbi } from "viem";
import { erc20Abi } from "@/lib/abi/erc20";
import { erc2612Abi } from "@/lib/abi/erc2612";
import { erc3009Abi } from "@/lib/abi/erc3009";

export const tokenAbi = [
  ...erc20Abi,
  ...parseAbi([
    "function increaseAllowance(address spender, uint256 increment) returns (bool)",
    "function decreaseAllowance(address spender, uint256 decrement) returns (bool)",
    "function owner() view returns (address)",
    "function mint(address to, uint256 amount) returns (bool)",
    "function version() view returns (string)",
    "event Mint(address indexed minter, address indexed to, uint256 amount)",
  ]),
  ...erc2612Abi,
  ...erc3009Abi,
] as const;
