import type { Chain } from "viem";
import * as viemChains from "viem/chains";
import { describe, expect, it } from "vitest";
import { findPublicChain } from "@/server/config/publicChains";

const onThisMachine = /\/\/(localhost|127\.0\.0\.1|0\.0\.0\.0)/;

function listPublicChains(): Chain[] {
  return (Object.values(viemChains) as Chain[]).filter(
    ({ rpcUrls }) => !rpcUrls.default.http.some((url) => onThisMachine.test(url)),
  );
}

describe("public chains", () => {
  // After upgrading viem, run: npx vitest run server/config/publicChains.test.ts -u
  it("match the list in viem", async () => {
    const chains = listPublicChains();
    const mainnets = chains.filter(({ testnet }) => testnet !== true);
    const mainnetIds = new Set(mainnets.map(({ id }) => id));
    const testnets = chains.filter(({ id }) => !mainnetIds.has(id));
    const toNames = (listed: Chain[]) => Object.fromEntries(listed.map(({ id, name }) => [id, name]));
    const list = { mainnets: toNames(mainnets), testnets: toNames(testnets) };
    await expect(`${JSON.stringify(list, null, 2)}\n`).toMatchFileSnapshot("./publicChains.json");
  });

  it.each([
    [1, { name: "Ethereum Mainnet", isMainnet: true }],
    [10, { name: "OP Mainnet", isMainnet: true }],
    [143, { name: "Monad Mainnet", isMainnet: true }],
    [8453, { name: "Base Mainnet", isMainnet: true }],
    [10143, { name: "Monad Testnet", isMainnet: false }],
    [11155111, { name: "Sepolia", isMainnet: false }],
    // A mainnet and two retired test networks share this ID. The list contains the mainnet.
    [999, { name: "HyperEVM Mainnet", isMainnet: true }],
    [31337, undefined],
    [1337, undefined],
  ])("are looked up by chain ID (%i)", (chainId, expected) => {
    expect(findPublicChain(chainId)).toEqual(expected);
  });
});
