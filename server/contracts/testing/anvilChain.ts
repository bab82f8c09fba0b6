/**
 * A chain for the contract tests: anvil on a free port, with the same accounts as in our genesis. Invariant: the
 * process ends with the test file, and no test depends on the machine's clock.
 */
import {
  type Abi,
  BaseError,
  ContractFunctionRevertedError,
  createTestClient,
  defineChain,
  getAddress,
  type Hex,
  http,
  parseEventLogs,
  publicActions,
  walletActions,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { vi } from "vitest";
import { compileSources } from "@/server/contracts/compiler";
import { startAnvilProcess } from "@/server/testing/anvilProcess";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

// A test that compiles a contract takes one second on an idle machine and many seconds on a busy one.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** anvil's ten funded accounts. */
export const testAccounts = Array.from({ length: 10 }, (_, addressIndex) =>
  mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex }),
) as [TestAccount, TestAccount, TestAccount, TestAccount, ...TestAccount[]];
export type TestAccount = ReturnType<typeof mnemonicToAccount>;

/** A contract call whose arguments aren't type-checked, so that a test can loop over many different calls. */
export type Write = {
  address: Hex;
  abi: Abi;
  functionName: string;
  args?: readonly unknown[];
  account?: TestAccount;
  value?: bigint;
};

/** Starts anvil and waits until it listens. If anvil doesn't start, throws an error with its output. */
export async function startAnvilChain(chainId = 10143) {
  const { url, place, stop } = await startAnvilProcess(["--chain-id", String(chainId), "--port", "0"]);
  const chain = defineChain({
    id: chainId,
    name: "Test chain",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const client = createTestClient({ chain, mode: "anvil", transport: http(), pollingInterval: 20, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
  // Makes blocks one second apart, regardless of the machine's clock. Mines the first block, because calls before it
  // would run at time zero.
  await client.setBlockTimestampInterval({ interval: 1 });
  await client.mine({ blocks: 1 });
  const simulate = async ({ account = testAccounts[2], ...call }: Write, time?: bigint): Promise<unknown> => {
    const at = time === undefined ? {} : { blockOverrides: { time } };
    const { result } = await client.simulateContract({ ...call, account: account.address, ...at } as never);
    return result;
  };
  return {
    client,
    /** Puts code, storage, balance and nonce at an address, as a genesis allocation does. */
    place,
    /**
     * Sends a transaction, from the third account by default. Returns the emitted events that the ABI declares, as
     * "Name(arguments)". Throws if the transaction reverts.
     */
    async send(write: Write, eventsOf: Abi = write.abi): Promise<string[]> {
      const hash = await client.writeContract({ account: testAccounts[2], ...write } as never);
      const receipt = await waitForReceipt(client, hash);
      if (receipt.status !== "success") throw new Error(`${write.functionName} reverted in a block.`);
      return parseEventLogs({ abi: eventsOf, logs: receipt.logs }).map(
        ({ eventName, args }) => `${eventName}(${Object.values(args ?? {}).join(",")})`,
      );
    },
    /** Compiles and deploys a contract from src/test, and returns its address. */
    async deploy(name: string, account: TestAccount): Promise<Hex> {
      const artifact = compileSources([`test/${name}.sol`])[name];
      if (!artifact) throw new Error(`src/test/${name}.sol has no contract ${name}.`);
      const { abi, bytecode } = artifact;
      const hash = await client.deployContract({ abi, bytecode, account });
      const { contractAddress } = await waitForReceipt(client, hash);
      return getAddress(contractAddress ?? "0x");
    },
    /** Returns why a call reverts, in a block with the given timestamp (default: the latest block's). */
    async findRevert(call: Write, timestamp?: bigint): Promise<string> {
      return toRevertReason(simulate(call, timestamp));
    },
    /** Runs a call without a transaction and returns its result. Throws if the call reverts. */
    simulate,
    /** The timestamp of the latest block, in seconds. */
    async now(): Promise<bigint> {
      return (await client.getBlock()).timestamp;
    },
    close: stop,
  };
}

/** Returns the `require` string, or the custom error's name and arguments. Throws if the call didn't revert. */
async function toRevertReason(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const reverted =
      error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error;
    const { data, reason, signature } = reverted;
    if (data === undefined) return signature ?? reason ?? "reverted without a reason";
    if (data.errorName === "Error") return String(data.args?.[0]);
    return `${data.errorName}(${(data.args ?? []).join(",")})`;
  }
  throw new Error("The call did not revert.");
}
