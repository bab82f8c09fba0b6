/**
 * Runs random steps on a chain with dev controls. Each step sends a transaction of any type except blobs (some are
 * rejected), uses a dev control, or makes the store fail. The probabilities of the steps are chosen to find bugs
 * quickly.
 */
import type { TransactionSerializable } from "viem";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import { developer } from "@/server/rpc/testing/fixedChain";
import type { Random } from "@/server/rpc/testing/malformed";
import { createRandomCode, toInitCode } from "@/server/rpc/testing/randomCode";
import type { TestNode } from "@/server/rpc/testing/testNode";

type Context = {
  node: TestNode;
  random: Random;
  ask: (method: string, ...params: unknown[]) => Promise<unknown>;
  /** The transactions sent so far. Some of them are sent again. */
  raws: Hex[];
  snapshots: unknown[];
  /** Whether the store is failing. If it is, internal errors are expected. */
  isFailing: boolean;
  stopFaults: () => void;
};
type Step = () => Promise<unknown>;

const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`;
const toWord = (value: number): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const address = (index: number) => developer(index).address.toLowerCase() as Address;
/** Addresses with random code and storage. */
const contracts = [1, 2, 3].map((digit): Address => `0x${`${digit}c`.repeat(20)}`);
/** EIP-4788 and EIP-7002 */
const systemContracts: Address[] = [
  "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
  "0x00000961ef480eb55e80d19ad83579a64c007002",
];
/** How many developer accounts take part. The caller uses the other accounts for its own transactions. */
const people = 8;

/** `step` runs one step. It throws only if a method fails in a way that is not allowed. */
export function createRandomControls(node: TestNode, random: Random): { step: Step; stopFaults(): void } {
  const context: Context = {
    node,
    random,
    ask: (method, ...params) => node.request({ method, params } as never) as Promise<unknown>,
    raws: [],
    snapshots: [],
    isFailing: false,
    stopFaults: () => undefined,
  };
  const sends = listSends(context);
  const controls = [...listAccountControls(context), ...listChainControls(context)];
  return {
    async step() {
      const run = random.int(20) === 0 ? () => failStore(context) : random.pick(random.int(2) === 0 ? sends : controls);
      const wasFailing = context.isFailing;
      await run().catch((error: { code?: number }) => {
        // Errors with a reason are allowed; internal errors are not.
        const isInternal = error.code === undefined || error.code === -32603;
        if (isInternal && !wasFailing && !context.isFailing) throw error;
      });
    },
    stopFaults: () => context.stopFaults(),
  };
}

function listSends({ node, random, ask, raws }: Context): Step[] {
  const anybody = () => address(random.int(people));
  const anything = () => random.pick([...contracts, anybody(), address(9)]);
  const sendRaw = async (raw: Hex) => {
    raws.push(raw);
    return ask("eth_sendRawTransaction", raw);
  };
  const send = async () => {
    const index = random.int(people);
    const next = Number(await ask("eth_getTransactionCount", address(index), "pending"));
    // Usually the next nonce. Sometimes one that leaves a gap, replaces a transaction, or is too low.
    const nonce = Math.max(0, next + random.pick([0, 0, 0, 0, 0, 0, 1, 2, -1, -2]));
    const gasPrice = 10n ** BigInt(random.pick([8, 11, 11, 11, 12, 13]));
    const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: random.pick([0n, 10n ** 8n, gasPrice]) };
    const to = anything();
    const value = random.pick([0n, 1n, 10n ** 18n, 10n ** 23n]);
    const gas = BigInt(random.pick([20_000, 21_000, 100_000, 100_000, 1_000_000, 16_000_000]));
    const code = createRandomCode(random, [...contracts, anybody()]);
    const common = { chainId: node.network.chainId, nonce, gas, value } as const;
    const transaction = random.pick<() => TransactionSerializable>([
      () => ({ ...common, type: "legacy", gasPrice, to }),
      () => ({ ...common, type: "eip2930", gasPrice, to, accessList: [{ address: to, storageKeys: [toWord(0)] }] }),
      () => ({ ...common, type: "eip1559", ...fees, to, data: toWord(random.int(9)) }),
      () => ({ ...common, type: "eip1559", ...fees, data: toInitCode(code) }),
    ])();
    return sendRaw(await developer(index).signTransaction(transaction));
  };
  const delegate = async () => {
    const [sender, authority] = [random.int(people), random.int(people)];
    const { chainId } = node.network;
    const authorization = await developer(authority).signAuthorization({
      chainId,
      contractAddress: random.pick(contracts),
      nonce: Number(await ask("eth_getTransactionCount", address(authority), "latest")) + random.int(2),
    });
    const nonce = Number(await ask("eth_getTransactionCount", address(sender), "pending"));
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 8n, gas: 200_000n };
    const call = {
      chainId,
      type: "eip7702",
      nonce,
      ...fees,
      to: anybody(),
      authorizationList: [authorization],
    } as const;
    return sendRaw(await developer(sender).signTransaction(call));
  };
  const sendAgain = async () => raws.length > 0 && ask("eth_sendRawTransaction", random.pick(raws));
  const sendFrom = () =>
    ask("eth_sendTransaction", { from: anybody(), to: anything(), value: toQuantity(random.int(3)) });
  const sendAs = () =>
    ask("eth_sendUnsignedTransaction", {
      from: random.pick([anybody(), ...contracts]),
      to: anything(),
      value: "0x0",
      gas: "0x186a0",
      gasPrice: "0x174876e800",
    });
  return [send, send, send, send, send, send, delegate, sendAgain, sendAgain, sendAgain, sendFrom, sendFrom, sendAs];
}

/** Steps that edit accounts, impersonate them, or remove transactions from the pool. */
function listAccountControls({ random, ask, node }: Context): Step[] {
  const anybody = () => address(random.int(people));
  const code = () => random.pick<Hex>(["0x", "0x60006000fd", "0xfe", createRandomCode(random, contracts)]);
  const setBack = async () => {
    const account = anybody();
    const nonce = Number(await ask("eth_getTransactionCount", account, "latest"));
    return ask("anvil_setNonce", account, toQuantity(Math.max(0, nonce - random.int(4))));
  };
  const setSlot = (of: Address) =>
    ask("anvil_setStorageAt", of, toQuantity(random.int(5)), toWord(random.pick([0, 1, 2 ** 40])));
  const drop = async () => {
    const { list } = node.chain.pool;
    const present: Hash[] = list().map(({ record }) => record.hash);
    return present.length > 0 && ask("anvil_dropTransaction", random.pick(present));
  };
  return [
    setBack,
    setBack,
    setBack,
    // The caller may send its next transaction from this account.
    () => ask("anvil_setNonce", address(people), toQuantity(random.int(5))),
    () => ask("anvil_setNonce", anybody(), toQuantity(random.int(20))),
    () => ask("anvil_setBalance", anybody(), toQuantity(random.pick([0n, 10n ** 21n, 2n ** 256n - 1n]))),
    () => ask("anvil_setCode", anybody(), code()),
    () => ask("anvil_setCode", random.pick(contracts), code()),
    () => ask("anvil_setCode", random.pick(systemContracts), code()),
    () => setSlot(random.pick(contracts)),
    () => setSlot(random.pick(systemContracts)),
    () => ask("anvil_impersonateAccount", random.pick([anybody(), ...contracts])),
    () => ask("anvil_stopImpersonatingAccount", anybody()),
    () => ask("anvil_autoImpersonateAccount", random.int(2) === 0),
    drop,
    () => ask("anvil_dropAllTransactions"),
  ];
}

/** Steps that mine, use snapshots, set the clock, or change settings for the next block. */
function listChainControls({ node, random, ask, snapshots }: Context): Step[] {
  const snapshot = async () => snapshots.push(await ask("evm_snapshot"));
  return [
    () => ask("evm_mine"),
    () => ask("anvil_mine", toQuantity(1 + random.int(3)), "0x2"),
    () => ask("evm_setAutomine", random.int(2) === 0),
    () => ask("evm_setIntervalMining", random.int(2)),
    snapshot,
    snapshot,
    () => ask("evm_revert", snapshots.length > 0 ? random.pick(snapshots) : "0x0"),
    () => ask("evm_revert", snapshots.at(-1) ?? "0x0"),
    () => (random.int(4) === 0 ? ask("anvil_reset") : Promise.resolve()),
    () => ask("evm_increaseTime", toQuantity(random.int(100))),
    () => ask("evm_setTime", node.chain.head().timestamp + random.int(1_000) - 500),
    () => ask("evm_setNextBlockTimestamp", node.chain.head().timestamp + random.int(1_000)),
    () => ask("anvil_setBlockTimestampInterval", random.int(10)),
    () => ask("anvil_removeBlockTimestampInterval"),
    () => ask("anvil_setNextBlockBaseFeePerGas", toQuantity(random.int(10 ** 12))),
    () => ask("evm_setBlockGasLimit", toQuantity(1_000_000 + random.int(10 ** 8))),
    () => ask("anvil_setCoinbase", random.pick([address(random.int(people)), ...contracts])),
    // Advances the machine's clock, or sometimes sets it back.
    async () => node.tick(random.int(5) - 1),
  ];
}

/** Makes the next few calls to a store function fail, either before or after the function does its work. */
async function failStore(context: Context): Promise<void> {
  const { node, random } = context;
  const { store } = node.chain;
  const names = ["commit", "putPool", "deletePool", "findAccount", "listMined", "editState", "rewind"] as const;
  const name = random.pick([...names, "findHead", "findChainVersion", "addSnapshot"] as const);
  const original = store[name] as (...params: unknown[]) => Promise<unknown>;
  const isDoneFirst = random.int(4) === 0;
  let left = 1 + random.int(4);
  context.stopFaults();
  context.isFailing = true;
  const failing = async (...params: unknown[]) => {
    if (left-- <= 0) return original(...params);
    if (isDoneFirst) await original(...params);
    throw new Error("the disk went away");
  };
  Object.assign(store, { [name]: failing });
  context.stopFaults = () => {
    Object.assign(store, { [name]: original });
    context.isFailing = false;
  };
}
