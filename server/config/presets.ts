/**
 * Networks by name, each with its chain ID and tokens. They include every network with a default asset in the published
 * x402 packages. If x402 publishes a name, it has the same meaning here.
 */
import type { Network, Token } from "@/lib/networks";
import { ConfigError } from "@/server/config/environment.mjs";

/** A token that only our own genesis contains, at an address that no other chain uses. */
export const plainTokenAddress = "0x7011000000000000000000000000000000000001";

export type Preset = Pick<Network, "name" | "label" | "chainId" | "nativeCurrency" | "tokens">;

type Domain = { symbol?: string; name?: string; version?: string };

/** A token with six decimals and EIP-3009, like those that Circle and Tether deploy. */
function signed(address: Token["address"], { symbol = "USDC", name = symbol, version = "2" }: Domain = {}): Token {
  return { address, symbol, decimals: 6, eip712: { name, version }, eip3009: true };
}

/** A token without EIP-3009, so payments use Permit2. With `eip2612`, a signed permit can replace the approval. */
function permitted(address: Token["address"], token: Required<Domain> & { decimals: number; eip2612: boolean }): Token {
  const { symbol, name, version, decimals, eip2612 } = token;
  return { address, symbol, decimals, eip712: { name, version }, eip3009: false, eip2612 };
}

/**
 * A token with neither EIP-3009 nor EIP-2612. Every preset includes it, so that payments with such a token can be tried
 * on every network.
 */
const plain: Token = { address: plainTokenAddress, symbol: "PUSD", decimals: 6, eip3009: false };
const usdCoin = { name: "USD Coin" };
const usdt0 = { symbol: "USDT0", version: "1" };
const bridged = { symbol: "USDC.e", name: "Bridged USDC" };
const megaUsd = { symbol: "MegaUSD", name: "MegaUSD", version: "1", decimals: 18, eip2612: true };
const mezoUsd = { symbol: "mUSD", name: "Mezo USD", version: "1", decimals: 18, eip2612: true };
const stableCoin = { symbol: "SBC", name: "Stable Coin", version: "1", decimals: 6, eip2612: true };
const igraUsdc = { symbol: "USDC", name: "USDC", version: "1", decimals: 6, eip2612: false };
const testnetUsdc = signed("0x534b2f3a21130d7a60830c2df862319e593943a3");
const radiusToken = permitted("0x33ad9e4BD16B69B5BFdED37D8B5D9fF9aba014Fb", stableCoin);
const hppToken = signed("0x401eCb1D350407f13ba348573E5630B83638E30D", bridged);
const celoTokens = [
  signed("0xcebA9300f2b948710d2653dD7B07f33A8B32118C"),
  signed("0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e", { symbol: "USDT", name: "Tether USD", version: "1" }),
  signed("0xD2ab3C9A02DBBAB236BfEC45D1d755DF4267F771", { symbol: "USAT", name: "Tether America USD", version: "1" }),
];

const ether = ["Ether", "ETH"] as const;
type Row = [name: string, label: string, chainId: number, native: readonly [name: string, symbol: string], Token[]];

const rows: Row[] = [
  ["testnet", "Testnet", 10143, ["Monad", "MON"], [testnetUsdc]],
  ["mainnet", "Mainnet", 143, ["Monad", "MON"], [signed("0x754704Bc059F8C67012fEd69BC8A327a5aafb603")]],
  ["local", "Local", 31337, ether, [testnetUsdc]],
  ["sepolia", "Sepolia", 11155111, ether, [signed("0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238")]],
  ["base", "Base", 8453, ether, [signed("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", usdCoin)]],
  ["base-sepolia", "Base Sepolia", 84532, ether, [signed("0x036CbD53842c5426634e7929541eC2318f3dCF7e")]],
  ["ethereum", "Ethereum", 1, ether, [signed("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", usdCoin)]],
  [
    "avalanche",
    "Avalanche",
    43114,
    ["Avalanche", "AVAX"],
    [signed("0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", usdCoin)],
  ],
  ["polygon", "Polygon", 137, ["POL", "POL"], [signed("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", usdCoin)]],
  ["arbitrum", "Arbitrum One", 42161, ether, [signed("0xaf88d065e77c8cC2239327C5EDb3A432268e5831", usdCoin)]],
  [
    "arbitrum-sepolia",
    "Arbitrum Sepolia",
    421614,
    ether,
    [signed("0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d", usdCoin)],
  ],
  ["celo", "Celo", 42220, ["CELO", "CELO"], celoTokens],
  [
    "celo-sepolia",
    "Celo Sepolia",
    11142220,
    ["CELO", "S-CELO"],
    [signed("0x01C5C0122039549AD1493B8220cABEdD739BC44E")],
  ],
  ["sei", "Sei", 1329, ["Sei", "SEI"], [signed("0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392")]],
  ["sei-testnet", "Sei Testnet", 1328, ["Sei", "SEI"], [signed("0x4fCF1784B31630811181f670Aea7A7bEF803eaED")]],
  ["megaeth", "MegaETH", 4326, ether, [permitted("0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7", megaUsd)]],
  ["mezo", "Mezo", 31612, ["Bitcoin", "BTC"], [permitted("0xdD468A1DDc392dcdbEf6db6e34E89AA338F9F186", mezoUsd)]],
  [
    "mezo-testnet",
    "Mezo Testnet",
    31611,
    ["Bitcoin", "BTC"],
    [permitted("0x118917a40FAF1CD7a13dB0Ef56C86De7973Ac503", mezoUsd)],
  ],
  ["radius", "Radius", 723487, ["Radius USD", "RUSD"], [radiusToken]],
  ["radius-testnet", "Radius Testnet", 72344, ["Radius USD", "RUSD"], [radiusToken]],
  ["stable", "Stable", 988, ["USDT0", "USDT0"], [signed("0x779Ded0c9e1022225f8E0630b35a9b54bE713736", usdt0)]],
  [
    "stable-testnet",
    "Stable Testnet",
    2201,
    ["USDT0", "USDT0"],
    [signed("0x78Cf24370174180738C5B8E352B6D14c83a6c9A9", usdt0)],
  ],
  [
    "flare",
    "Flare",
    14,
    ["Flare", "FLR"],
    [signed("0xe7cd86e13AC4309349F30B3435a9d337750fC82D", { ...usdt0, name: "USD₮0" })],
  ],
  ["adi", "ADI", 36900, ["ADI", "ADI"], [signed("0x9cb8142aEBBcdc60AF7c97Af897A67A8f3CA71C2", { symbol: "USDC.e" })]],
  ["hpp", "HPP", 190415, ether, [hppToken]],
  ["hpp-sepolia", "HPP Sepolia", 181228, ether, [hppToken]],
  ["xdc", "XDC", 50, ["XDC", "XDC"], [signed("0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1")]],
  ["xdc-apothem", "XDC Apothem", 51, ["TXDC", "TXDC"], [signed("0xb5AB69F7bBada22B28e79C8FFAECe55eF1c771D4")]],
  ["igra", "Igra", 38833, ["iKAS", "iKAS"], [permitted("0xA5b8BF902b2844dA17d4506cc827F7F1681735E7", igraUsdc)]],
];

const presets = new Map(
  rows.map(([name, label, chainId, [currency, symbol], tokens]): [string, Preset] => [
    name,
    { name, label, chainId, nativeCurrency: { name: currency, symbol, decimals: 18 }, tokens: [...tokens, plain] },
  ]),
);

export const listPresets = (): Preset[] => [...presets.values()];

/** If there is no preset with this name, throws a ConfigError that lists the names. */
export function getPreset(name: string): Preset {
  const preset = presets.get(name);
  if (preset) return preset;
  throw new ConfigError(
    `TOLLSCAN_NETWORKS contains the unknown network ${name}; use a file ending in .json, or names from ${[...presets.keys()].join(", ")}.`,
  );
}
