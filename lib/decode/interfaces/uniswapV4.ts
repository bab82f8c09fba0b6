/**
 * Uniswap v4: pool manager and position manager, and the universal router that serves every version.
 */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const uniswapV4: Interface = {
  name: "Uniswap v4",
  abi: parseAbi([
    "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
    "struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }",
    "struct ModifyLiquidityParams { int24 tickLower; int24 tickUpper; int256 liquidityDelta; bytes32 salt; }",
    "function unlock(bytes data) returns (bytes)",
    "function unlockCallback(bytes data) returns (bytes)",
    "function initialize(PoolKey key, uint160 sqrtPriceX96) returns (int24 tick)",
    "function swap(PoolKey key, SwapParams params, bytes hookData) returns (int256 swapDelta)",
    "function modifyLiquidity(PoolKey key, ModifyLiquidityParams params, bytes hookData) returns (int256 callerDelta, int256 feesAccrued)",
    "function donate(PoolKey key, uint256 amount0, uint256 amount1, bytes hookData) returns (int256)",
    "function take(address currency, address to, uint256 amount)",
    "function settle() payable returns (uint256 paid)",
    "function sync(address currency)",
    "function modifyLiquidities(bytes unlockData, uint256 deadline) payable",
    "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable",
    "function execute(bytes commands, bytes[] inputs) payable",
    "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)",
    "event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)",
    "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)",
    "event Donate(bytes32 indexed id, address indexed sender, uint256 amount0, uint256 amount1)",
    "error CurrencyNotSettled()",
    "error PoolNotInitialized()",
    "error ManagerLocked()",
    "error ExecutionFailed(uint256 commandIndex, bytes message)",
    "error TransactionDeadlinePassed()",
  ]),
};
