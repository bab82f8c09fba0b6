import { describe, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import type { PageNetwork } from "@/lib/networks";
import {
  assertSameBlock,
  bindTransaction,
  findMainnetSentence,
  findNamedChain,
  findWantedChain,
  getSignableNetwork,
} from "./signingRule";

const local: PageNetwork = {
  name: "devnet",
  label: "Devnet",
  chainId: 31337,
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  tokens: [],
  contracts: canonicalContracts,
  embedded: true,
  isLocal: true,
  publicChain: undefined,
};
const testnet = { ...local, chainId: 10143, publicChain: { name: "Monad Testnet", isMainnet: false } };
const mainnet = { ...local, chainId: 143, publicChain: { name: "Monad Mainnet", isMainnet: true } };
const imported = {
  ...mainnet,
  chainId: 1,
  publicChain: { name: "Ethereum Mainnet", isMainnet: true },
  embedded: false,
};
const remote = {
  ...mainnet,
  chainId: 8453,
  publicChain: { name: "Base Mainnet", isMainnet: true },
  embedded: false,
  isLocal: false,
};
const networks = [local, testnet, mainnet, imported, remote];
const EIP712Domain = [{ name: "name" }, { name: "chainId" }];
const typed = (data: object) => ["0xa", JSON.stringify({ types: { EIP712Domain }, ...data })];

describe("the chain of a request", () => {
  it.each<[method: string, params: unknown[], chainId: number | undefined]>([
    ["eth_signTypedData_v4", typed({ domain: { chainId: 143 } }), 143],
    ["eth_signTypedData_v4", typed({ domain: { chainId: "143" } }), 143],
    ["eth_signTypedData_v4", typed({ domain: { chainId: "0x8f" } }), 143],
    ["eth_signTypedData_v3", ["0xa", { types: { EIP712Domain }, domain: { chainId: 143 } }], 143],
    ["eth_signTypedData_v4", typed({ domain: {} }), undefined],
    ["eth_signTypedData_v4", typed({}), undefined],
    ["eth_signTypedData_v4", typed({ domain: { chainId: 0 } }), undefined],
    ["eth_signTypedData_v4", typed({ domain: { chainId: [143] } }), undefined],
    ["eth_signTypedData_v4", typed({ domain: { chainId: "" } }), undefined],
    // If the type omits a domain field, that field isn't signed. Wallets treat a missing type as an empty one.
    ["eth_signTypedData_v4", typed({ domain: { chainId: 143 }, types: {} }), undefined],
    ["eth_signTypedData_v4", typed({ domain: { chainId: 143 }, types: undefined }), undefined],
    [
      "eth_signTypedData_v4",
      typed({ domain: { chainId: 143 }, types: { EIP712Domain: [{ name: "name" }] } }),
      undefined,
    ],
    ["eth_signTypedData_v4", typed({ domain: { chainId: 143 }, types: { EIP712Domain: [{ name: "chainId" }] } }), 143],
    ["eth_sendTransaction", [{ to: "0xb", chainId: "0x279f" }], 10143],
    ["eth_sendTransaction", [{ to: "0xb" }], undefined],
    ["wallet_sendTransaction", [{ chainId: "0x279f" }], 10143],
    ["eth_sendTransaction", [{ chainId: "0x279f", authorizationList: [{ chainId: "0x0" }] }], undefined],
    ["wallet_sendCalls", [{ chainId: "0x279f", calls: [{ chainId: "0x8f" }] }], undefined],
    ["eth_signTransaction", [{ chainId: "0x279f", gasPrice: "0x1" }], undefined],
    ["eth_signTypedData", [[], "0xa"], undefined],
    ["personal_sign", ["0x00", "0xa"], undefined],
    ["eth_sign", ["0xa", "0x00"], undefined],
    ["wallet_signAuthorization", [{ chainId: "0x279f" }], undefined],
  ])("for %s with params %j is %s", (method, params, chainId) => {
    expect(findNamedChain({ method, params })).toBe(chainId);
  });

  it("is the requested chain if the wallet is asked to switch", () => {
    expect(findWantedChain({ method: "wallet_switchEthereumChain", params: [{ chainId: "0x8f" }] })).toBe(143);
    expect(findWantedChain({ method: "wallet_switchEthereumChain" })).toBeUndefined();
  });

  it("defaults to the wallet's chain", () => {
    const call = { method: "eth_sendTransaction", params: [{ to: "0xb" }] };
    expect(bindTransaction(call, 10143)).toEqual({ ...call, params: [{ to: "0xb", chainId: "0x279f" }] });
    const named = { method: "eth_sendTransaction", params: [{ to: "0xb", chainId: "0x8f" }] };
    for (const other of [named, { method: "personal_sign", params: ["0x00", "0xa"] }, { ...call, params: [] }]) {
      expect(bindTransaction(other, 10143)).toEqual(other);
    }
    expect(bindTransaction(call, Number.NaN)).toEqual(call);
  });
});

describe("signing for a network", () => {
  it.each([local, testnet, remote])("is allowed for network $chainId if the wallet is on that network", (network) => {
    expect(getSignableNetwork(networks, network.chainId, network.chainId)).toBe(network);
  });

  it.each<[what: string, named: number | undefined, wallet: number | undefined, code: string]>([
    ["a request without a chain", undefined, 10143, "no_chain"],
    ["another node's network", 5, 5, "unknown_chain"],
    ["a chain that the wallet is not on", 10143, 1, "wrong_chain"],
    ["any chain while the wallet's chain is unknown", 10143, Number.NaN, "wrong_chain"],
    ["a simulation of a mainnet", 143, 143, "public_mainnet"],
    ["an imported chain with a mainnet's chain ID", 1, 1, "public_mainnet"],
  ])("is rejected for %s", (_, named, wallet, code) => {
    expect(() => getSignableNetwork(networks, named, wallet)).toThrow(expect.objectContaining({ code }));
  });

  it("is explained to the user if no wallet can sign", () => {
    expect(findMainnetSentence(mainnet)).toBe(
      "This is a local simulation with the chain ID of Monad Mainnet. A signature made here would be valid on the real network, so only burner accounts can sign.",
    );
    // An imported chain has no burner accounts.
    expect(findMainnetSentence(imported)).toMatch(/so no wallet can sign\.$/);
    for (const network of [local, testnet, remote]) expect(findMainnetSentence(network)).toBeUndefined();
  });
});

describe("the check that the wallet is on our chain", () => {
  const rpcUrl = "http://localhost:3000/api/rpc/testnet";

  it("compares the hash of one block", () => {
    expect(() => assertSameBlock(testnet, "0xaa", "0xaa", rpcUrl)).not.toThrow();
    expect(() => assertSameBlock(testnet, "0xaa", "0xbb", rpcUrl)).toThrow(
      "The wallet’s network with chain ID 10143 is not this local chain (it may be the real Monad Testnet), so it was not asked to sign. In the wallet, set the RPC URL for chain ID 10143 to http://localhost:3000/api/rpc/testnet, then try again.",
    );
    expect(() => assertSameBlock(local, "0xaa", "0xbb", rpcUrl)).toThrow(/is not this local chain, so/);
  });

  it("fails if the wallet does not know the block", () => {
    expect(() => assertSameBlock(testnet, "0xaa", undefined, rpcUrl)).toThrow(
      expect.objectContaining({ code: "not_our_chain", message: expect.stringMatching(/^The wallet could not read/) }),
    );
  });
});
