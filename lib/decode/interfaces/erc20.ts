/**
 * ERC-20 with its metadata, and the wrapped native currency's two calls that every chain has.
 */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const erc20: Interface = {
  name: "ERC-20",
  abi: parseAbi([
    "function name() view returns (string)",
    "function symbol() view returns (string)",
    "function decimals() view returns (uint8)",
    "function totalSupply() view returns (uint256)",
    "function balanceOf(address account) view returns (uint256)",
    "function allowance(address owner, address spender) view returns (uint256)",
    "function transfer(address to, uint256 value) returns (bool)",
    "function approve(address spender, uint256 value) returns (bool)",
    "function transferFrom(address from, address to, uint256 value) returns (bool)",
    "function increaseAllowance(address spender, uint256 addedValue) returns (bool)",
    "function decreaseAllowance(address spender, uint256 subtractedValue) returns (bool)",
    "function mint(address to, uint256 amount)",
    "function burn(uint256 amount)",
    "function burnFrom(address account, uint256 amount)",
    "function deposit() payable",
    "function withdraw(uint256 amount)",
    "event Transfer(address indexed from, address indexed to, uint256 value)",
    "event Approval(address indexed owner, address indexed spender, uint256 value)",
    "event Deposit(address indexed account, uint256 amount)",
    "event Withdrawal(address indexed account, uint256 amount)",
  ]),
};
