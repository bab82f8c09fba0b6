/**
 * The interfaces used for decoding. If two of them declare the same item, the earlier one in the list wins. This list
 * is only for the server, and no page's bundle includes it.
 */
import { erc3009Abi } from "@/lib/abi/erc3009";
import { multicall3Abi } from "@/lib/abi/multicall3";
import { permit2Abi } from "@/lib/abi/permit2";
import { exactProxyAbi, uptoProxyAbi } from "@/lib/abi/x402Proxies";
import type { Interface } from "@/lib/decode/decoder";
import { consoleInterface } from "@/lib/decode/interfaces/console";
import { delegatedAccount } from "@/lib/decode/interfaces/delegatedAccount";
import { erc20, erc20Extensions, wrappedNative } from "@/lib/decode/interfaces/erc20";
import { erc165 } from "@/lib/decode/interfaces/erc165";
import { erc721 } from "@/lib/decode/interfaces/erc721";
import { erc1155 } from "@/lib/decode/interfaces/erc1155";
import { erc2612 } from "@/lib/decode/interfaces/erc2612";
import { entryPoint } from "@/lib/decode/interfaces/erc4337";
import { erc4626 } from "@/lib/decode/interfaces/erc4626";
import { openZeppelin } from "@/lib/decode/interfaces/openZeppelin";
import { safe } from "@/lib/decode/interfaces/safe";
import { solidity } from "@/lib/decode/interfaces/solidity";
import { uniswapV2 } from "@/lib/decode/interfaces/uniswapV2";
import { uniswapV3 } from "@/lib/decode/interfaces/uniswapV3";
import { uniswapV4 } from "@/lib/decode/interfaces/uniswapV4";

export const interfaces: readonly Interface[] = [
  solidity,
  erc20,
  erc20Extensions,
  wrappedNative,
  erc721,
  erc1155,
  erc165,
  erc2612,
  { name: "EIP-3009", abi: erc3009Abi },
  { name: "Multicall3", abi: multicall3Abi },
  { name: "Permit2", abi: permit2Abi },
  // Both declare the event Settled(). With one name, it has one tag.
  { name: "x402 proxy", abi: exactProxyAbi },
  { name: "x402 proxy", abi: uptoProxyAbi },
  erc4626,
  entryPoint,
  delegatedAccount,
  safe,
  uniswapV2,
  uniswapV3,
  uniswapV4,
  openZeppelin,
  consoleInterface,
];
