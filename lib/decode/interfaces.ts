/**
 * The interfaces that readings are taken from, in the order in which they are preferred. Server only: a page's bundle
 * never imports this list.
 */
import { multicall3Abi } from "@/lib/abi/multicall3";
import { permit2Abi } from "@/lib/abi/permit2";
import { tokenAbi } from "@/lib/abi/token";
import { exactProxyAbi, uptoProxyAbi } from "@/lib/abi/x402Proxies";
import type { Interface } from "@/lib/decode/decoder";

export const interfaces: readonly Interface[] = [
  { name: "Payment token", abi: tokenAbi },
  { name: "Multicall3", abi: multicall3Abi },
  { name: "Permit2", abi: permit2Abi },
  { name: "x402 exact proxy", abi: exactProxyAbi },
  { name: "x402 upto proxy", abi: uptoProxyAbi },
];
