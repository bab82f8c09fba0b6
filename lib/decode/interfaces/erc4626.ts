import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const erc4626: Interface = {
  name: "ERC-4626",
  abi: parseAbi([
    "function asset() view returns (address)",
    "function totalAssets() view returns (uint256)",
    "function convertToShares(uint256 assets) view returns (uint256)",
    "function convertToAssets(uint256 shares) view returns (uint256)",
    "function maxDeposit(address receiver) view returns (uint256)",
    "function maxMint(address receiver) view returns (uint256)",
    "function maxWithdraw(address owner) view returns (uint256)",
    "function maxRedeem(address owner) view returns (uint256)",
    "function previewDeposit(uint256 assets) view returns (uint256)",
    "function previewMint(uint256 shares) view returns (uint256)",
    "function previewWithdraw(uint256 assets) view returns (uint256)",
    "function previewRedeem(uint256 shares) view returns (uint256)",
    "function deposit(uint256 assets, address receiver) returns (uint256 shares)",
    "function mint(uint256 shares, address receiver) returns (uint256 assets)",
    "function withdraw(uint256 assets, address receiver, address owner) returns (uint256 shares)",
    "function redeem(uint256 shares, address receiver, address owner) returns (uint256 assets)",
    "event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)",
    "event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)",
    "error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)",
    "error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)",
    "error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)",
    "error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)",
  ]),
};
