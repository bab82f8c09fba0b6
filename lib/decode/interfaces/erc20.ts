/** ERC-20 with its metadata, common functions that are not in the standard, and those of wrapped native tokens. */
import { parseAbi } from "viem";
import { erc20Abi } from "@/lib/abi/erc20";
import type { Interface } from "@/lib/decode/decoder";

export const erc20: Interface = { name: "ERC-20", abi: erc20Abi };

export const erc20Extensions: Interface = {
  name: "ERC-20 extension",
  abi: parseAbi([
    "function increaseAllowance(address spender, uint256 addedValue) returns (bool)",
    "function decreaseAllowance(address spender, uint256 subtractedValue) returns (bool)",
    "function mint(address to, uint256 amount)",
    "function burn(uint256 amount)",
    "function burnFrom(address account, uint256 amount)",
  ]),
};

export const wrappedNative: Interface = {
  name: "WETH",
  abi: parseAbi([
    "function deposit() payable",
    "function withdraw(uint256 amount)",
    "event Deposit(address indexed account, uint256 amount)",
    "event Withdrawal(address indexed account, uint256 amount)",
  ]),
};
