/**
 * Uniswap v3: both routers, pool, factory and position manager.
 */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const uniswapV3: Interface = {
  name: "Uniswap v3",
  abi: parseAbi([
    "struct ExactInputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
    "struct ExactInput { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
    "struct ExactOutputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }",
    "struct ExactInputSingle02 { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
    "struct ExactInput02 { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
    "struct MintPosition { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
    "struct IncreaseLiquidityOf { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
    "struct DecreaseLiquidityOf { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
    "struct CollectOf { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
    "function exactInputSingle(ExactInputSingle params) payable returns (uint256 amountOut)",
    "function exactInput(ExactInput params) payable returns (uint256 amountOut)",
    "function exactOutputSingle(ExactOutputSingle params) payable returns (uint256 amountIn)",
    "function exactInputSingle(ExactInputSingle02 params) payable returns (uint256 amountOut)",
    "function exactInput(ExactInput02 params) payable returns (uint256 amountOut)",
    "function multicall(bytes[] data) payable returns (bytes[] results)",
    "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)",
    "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
    "function refundETH() payable",
    "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
    "function mint(MintPosition params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
    "function increaseLiquidity(IncreaseLiquidityOf params) payable returns (uint128 liquidity, uint256 amount0, uint256 amount1)",
    "function decreaseLiquidity(DecreaseLiquidityOf params) payable returns (uint256 amount0, uint256 amount1)",
    "function collect(CollectOf params) payable returns (uint256 amount0, uint256 amount1)",
    "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)",
    "function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data) returns (int256 amount0, int256 amount1)",
    "function flash(address recipient, uint256 amount0, uint256 amount1, bytes data)",
    "function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes data)",
    "function createPool(address tokenA, address tokenB, uint24 fee) returns (address pool)",
    "function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)",
    "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
    "event Initialize(uint160 sqrtPriceX96, int24 tick)",
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
    "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
    "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
    "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
    "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
    "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
    "event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  ]),
};
