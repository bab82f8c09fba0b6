/** Tests what llms.txt says about money on each kind of network. */
import { expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import { toLlmsText } from "@/lib/llmsText";
import type { PageNetwork } from "@/lib/networks";

const imported: PageNetwork = {
  name: "copy",
  label: "Copy",
  chainId: 1,
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  tokens: [],
  contracts: canonicalContracts,
  embedded: false,
  isLocal: true,
  publicChain: { name: "Ethereum", isMainnet: true },
};

const toText = (network: PageNetwork) => toLlmsText("http://localhost:3000", [{ network, resources: [] }]);

it("describes an imported chain as a local copy, even if it has a mainnet's chain ID", () => {
  expect(toText(imported)).toContain("A local copy of Ethereum, no real money");
  expect(toText(imported)).not.toContain("payments use real money");
  expect(toText({ ...imported, publicChain: undefined })).toContain("A local copy of another chain, no real money");
});

it("describes our own chain as a simulation and a remote chain as public", () => {
  expect(toText({ ...imported, embedded: true })).toContain("A local simulation, no real money");
  expect(toText({ ...imported, isLocal: false })).toContain("A public chain: payments use real money.");
});

it("links to the funded accounts of our own chain only", () => {
  expect(toText({ ...imported, embedded: true })).toContain("http://localhost:3000/copy/accounts");
  expect(toText(imported)).not.toContain("/accounts");
});
