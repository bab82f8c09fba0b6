/**
 * Tests that the genesis contracts match those on public chains. Compares their hashes and addresses with the published
 * ones, and deploys the contracts' creation code on our EVM.
 */
import {
  type Abi,
  concat,
  getContractAddress,
  keccak256,
  parseGwei,
  parseTransaction,
  serializeTransaction,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { formatAbiItem } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { multicall3Abi } from "@/lib/abi/multicall3";
import { permit2Abi } from "@/lib/abi/permit2";
import { canonicalContracts } from "@/lib/contracts";
import { createGenesis } from "@/server/chain/genesis";
import { loadConfig } from "@/server/config/config";
import { listPredeploys } from "@/server/contracts/predeploys";
import {
  create2DeployerCode,
  create2DeployerCreationCode,
  multicall3Code,
  multicall3Deployment,
  permit2CreationCode,
  toPermit2Code,
} from "@/server/contracts/publicCode";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const { permit2, multicall3, create2Deployer } = canonicalContracts;
const permit2Salt: Hash = "0x0000000000000000000000000000000000000000d3af2663da51c10215000000";
/**
 * The deployment transaction that the CREATE2 deployer's authors published. Its signature is made up, so no key exists
 * for the sender.
 */
const create2DeployerDeployment = serializeTransaction(
  { type: "legacy", gasPrice: parseGwei("100"), gas: 100_000n, data: create2DeployerCreationCode },
  { r: `0x${"22".repeat(32)}`, s: `0x${"22".repeat(32)}`, v: 27n },
);
const findSender = (deployment: Hex): Address => decodeTransaction(toBytes(deployment)).from;

describe("published code hashes", () => {
  it.each<[string, Hex, Hash]>([
    ["Multicall3", multicall3Code, "0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891"],
    ["the CREATE2 deployer", create2DeployerCode, "0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989"],
    [
      "Permit2 on chain 1",
      toPermit2Code(1, permit2),
      "0xc67d1657868aa5146eaf24fb879fb1fdec3d2d493b3683a61c9c2f4fb2851131",
    ],
    [
      "Permit2 on chain 8453",
      toPermit2Code(8453, permit2),
      "0xa67739abc3ede9dbdc0491636c67d6a14ac07fab9030c3f509b1eb7b11dff8ed",
    ],
  ])("match the code of %s", (_, code, hash) => {
    expect(keccak256(code)).toBe(hash);
  });
});

describe("public addresses", () => {
  it("follow from creation code and salt, or from the deploying account", () => {
    expect(
      getContractAddress({
        opcode: "CREATE2",
        from: create2Deployer,
        salt: permit2Salt,
        bytecode: permit2CreationCode,
      }),
    ).toBe(permit2);
    expect(getContractAddress({ from: findSender(multicall3Deployment), nonce: 0n })).toBe(multicall3);
    expect(getContractAddress({ from: findSender(create2DeployerDeployment), nonce: 0n })).toBe(create2Deployer);
  });
});

describe.each([10143, 143])("chain %i without the predeploys", (chainId) => {
  let node: TestNode;
  beforeAll(async () => {
    const spec = toEmbeddedSpec(chainId);
    const genesis = createGenesis(loadConfig({}, ".").networks[0], spec);
    for (const address of [permit2, multicall3, create2Deployer])
      delete genesis.alloc[address.toLowerCase() as Address];
    node = await createTestNode({ isDeveloped: true, chain: { spec, genesis } });
  });
  afterAll(() => node?.close());

  const ask = (method: string, ...params: unknown[]) => node.request({ method, params } as never) as Promise<unknown>;
  const getCode = (address: Hex) => ask("eth_getCode", address, "latest");
  /** Funds the `from` account, then sends the transaction from it. */
  async function send(transaction: { from: Hex; to?: Hex; data: Hex }): Promise<void> {
    await ask("anvil_impersonateAccount", transaction.from);
    await ask("anvil_setBalance", transaction.from, "0xde0b6b3a7640000");
    const hash = (await ask("eth_sendTransaction", { ...transaction, gas: "0x4c4b40" })) as Hash;
    const mined = await node.chain.waitForTransaction(hash, 30_000);
    expect(mined?.receipt.status).toBe(1);
  }

  it("has the same code after the public deployments", async () => {
    expect(await getCode(create2Deployer)).toBe("0x");
    await send({ from: findSender(create2DeployerDeployment), data: create2DeployerCreationCode });
    const sender = findSender(multicall3Deployment);
    await send({ from: sender, data: parseTransaction(multicall3Deployment).data ?? "0x" });
    await send({ from: sender, to: create2Deployer, data: concat([permit2Salt, permit2CreationCode]) });
    const placed = new Map(listPredeploys(canonicalContracts, chainId));
    for (const address of [permit2, multicall3, create2Deployer]) {
      expect(await getCode(address)).toBe(placed.get(address.toLowerCase() as Address)?.code);
    }
  });

  it("has the constructor's Permit2 code after a deployment at another address", async () => {
    const elsewhere: Address = `0x${"c5".repeat(20)}`;
    const created = await ask("eth_call", { to: elsewhere }, "latest", { [elsewhere]: { code: permit2CreationCode } });
    expect(created).toBe(toPermit2Code(chainId, elsewhere));
  });
});

describe("the ABIs in lib/abi", () => {
  it.each<[string, Abi, Hex]>([
    ["permit2", permit2Abi, toPermit2Code(1, permit2)],
    ["multicall3", multicall3Abi, multicall3Code],
  ])("%s has only entries that the code implements", (_, abi, code) => {
    for (const item of abi) {
      const text = formatAbiItem(item as Parameters<typeof formatAbiItem>[0]);
      const selector = item.type === "event" ? toEventSelector(item) : toFunctionSelector(text);
      expect(code, text).toContain(selector.slice(2));
    }
  });
});
