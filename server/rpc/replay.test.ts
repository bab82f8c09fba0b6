/**
 * Executes the blocks of a random chain again. The chain has transfers, calls, reverts, creations, self-destructs,
 * access lists and delegations. Both an import from genesis and the tracers must reproduce the committed data.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { importBlocks } from "@/server/chain/import";
import { decodeBlock } from "@/server/ethereum/codec/block";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import { createRandom } from "@/server/rpc/testing/malformed";
import { createRandomTransactions } from "@/server/rpc/testing/randomTransactions";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const seed = 20_261;
const rounds = 16;
const perRound = 6;

type Frame = {
  type: string;
  from: Address;
  to?: Address;
  gas: Hex;
  gasUsed: Hex;
  error?: string;
  calls?: Frame[];
  logs?: { address: Address; topics: Hash[]; data: Hex; index: Hex }[];
};
type Wire = { txHash: Hash; result: unknown }[];
type WireReceipt = {
  transactionHash: Hash;
  status: Hex;
  gasUsed: Hex;
  contractAddress: Address | null;
  logs: { address: Address; topics: Hash[]; data: Hex }[];
};
type WireAccount = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<Hash, Hash> };
type Diff = { pre: Record<Address, WireAccount>; post: Record<Address, WireAccount> };

const callTracer = { tracer: "callTracer", tracerConfig: { withLog: true } };
const diffTracer = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };

let node: TestNode;
let head: number;
beforeAll(async () => {
  node = await createTestNode();
  const { chain, network } = node;
  const token = network.tokens[0]!.address.toLowerCase() as Address;
  const generator = createRandomTransactions({ random: createRandom(seed), chainId: network.chainId, token });
  const nonceOf = async (address: Address) =>
    Number((await chain.store.findAccount(address, chain.head().number))?.nonce ?? 0n);
  for (let round = 0; round < rounds; round++) {
    node.tick(2);
    const raws: Hex[] = [];
    for (let left = perRound; left > 0; left--) raws.push(await generator.next(nonceOf));
    const hashes = await Promise.all(raws.map((raw) => chain.submit(toBytes(raw))));
    for (const hash of hashes) {
      const mined = await chain.waitForTransaction(hash, 120_000);
      if (!mined) throw new Error(`${hash} was not mined: ${chain.pool.findStatus(hash)?.reason}`);
      if (mined.receipt.contractAddress && mined.receipt.status)
        generator.contracts.push(mined.receipt.contractAddress);
    }
  }
  head = chain.head().number;
});
afterAll(() => node?.close());

const toNumber = (number: number) => `0x${number.toString(16)}`;
const ask = <T>(method: string, ...params: unknown[]) => node.request({ method, params }) as Promise<T>;
const listBlocks = () => Array.from({ length: head }, (_, index) => index + 1);

function listFrames(frame: Frame): Frame[] {
  return [frame, ...(frame.calls ?? []).flatMap(listFrames)];
}

it("replays a chain that contains every kind of transaction and outcome", async () => {
  const seen = new Set<string>();
  let most = 0;
  for (const number of listBlocks()) {
    const traces = await ask<Wire>("debug_traceBlockByNumber", toNumber(number), callTracer);
    most = Math.max(most, traces.length);
    const block = await node.chain.store.findBlock(number);
    for (const { type, accessList } of block!.transactions) {
      seen.add(`type ${type}`);
      if (accessList?.length) seen.add("access list");
    }
    for (const { result } of traces) {
      for (const { type, error } of listFrames(result as Frame)) {
        seen.add(type);
        if (error) seen.add(error === "execution reverted" ? "revert" : "halt");
      }
    }
  }
  expect(most).toBeGreaterThan(2);
  expect([...seen]).toEqual(
    expect.arrayContaining(
      ["type 0", "type 1", "type 2", "type 4", "access list", "CREATE", "CALL", "STATICCALL", "DELEGATECALL"].concat([
        "SELFDESTRUCT",
        "revert",
        "halt",
      ]),
    ),
  );
});

it("re-executes from genesis to the same blocks, receipts and state", async () => {
  const again = await createTestNode();
  try {
    const blocks = [];
    for (const number of listBlocks()) {
      blocks.push(decodeBlock(toBytes(await ask<Hex>("debug_getRawBlock", toNumber(number)))));
    }
    expect(await importBlocks(again.chain, blocks)).toBe(head);
    expect(again.chain.head()).toEqual(node.chain.head());
    const touched = new Set<Address>();
    for (const number of listBlocks()) {
      const params = [toNumber(number)];
      expect(await again.request({ method: "eth_getBlockReceipts", params })).toEqual(
        await ask("eth_getBlockReceipts", ...params),
      );
      for (const { result } of await ask<{ result: Diff }[]>(
        "debug_traceBlockByNumber",
        toNumber(number),
        diffTracer,
      )) {
        for (const address of Object.keys(result.post)) touched.add(address as Address);
      }
    }
    for (const address of touched) {
      const number = head;
      expect(await again.chain.store.findAccount(address, number)).toEqual(
        await node.chain.store.findAccount(address, number),
      );
      const page = { limit: 1_000 };
      expect(await again.chain.store.listSlots(address, number, page)).toEqual(
        await node.chain.store.listSlots(address, number, page),
      );
    }
  } finally {
    await again.close();
  }
});

it.each([
  ["callTracer", callTracer],
  ["prestateTracer", { tracer: "prestateTracer" }],
  ["prestateTracer with diffMode", diffTracer],
  ["the struct logger", { enableMemory: true, enableReturnData: true }],
])("returns the same %s traces for a block, by number or hash, as for its transactions", async (_, options) => {
  for (const number of listBlocks()) {
    const whole = await ask<Wire>("debug_traceBlockByNumber", toNumber(number), options);
    const { header, transactions } = (await node.chain.store.findBlock(number))!;
    expect(whole.map(({ txHash }) => txHash)).toEqual(transactions.map(({ hash }) => hash));
    expect(await ask("debug_traceBlockByHash", header.hash, options)).toEqual(whole);
    // Traces the transactions from last to first, so that no trace can reuse the previous one.
    for (const { txHash, result } of whole.toReversed()) {
      expect(await ask("debug_traceTransaction", txHash, options)).toEqual(result);
    }
  }
});

it("returns traces whose gas, outcome, logs and addresses match the receipts", async () => {
  for (const number of listBlocks()) {
    const receipts = await ask<WireReceipt[]>("eth_getBlockReceipts", toNumber(number));
    const traces = await ask<Wire>("debug_traceBlockByNumber", toNumber(number), callTracer);
    const structs = await ask<Wire>("debug_traceBlockByNumber", toNumber(number), { disableStack: true });
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(traces.map(({ txHash }) => txHash));
    for (const [index, receipt] of receipts.entries()) {
      const root = traces[index]!.result as Frame;
      const isFailed = receipt.status === "0x0";
      expect([root.gasUsed, root.error !== undefined]).toEqual([receipt.gasUsed, isFailed]);
      expect(structs[index]!.result).toMatchObject({ gas: Number(receipt.gasUsed), failed: isFailed });
      const logs = listFrames(root)
        .flatMap((frame) => frame.logs ?? [])
        .sort((a, b) => Number(a.index) - Number(b.index));
      expect(logs.map(({ address, topics, data }) => ({ address, topics, data }))).toEqual(
        receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
      );
      if (root.type === "CREATE" && !isFailed) expect(root.to).toBe(receipt.contractAddress);
      // A call can't use more than its gas limit, and its subcalls together can't use more than the call.
      for (const frame of listFrames(root)) {
        expect(BigInt(frame.gasUsed)).toBeLessThanOrEqual(BigInt(frame.gas));
        const inner = (frame.calls ?? []).reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n);
        if (frame !== root) expect(inner).toBeLessThanOrEqual(BigInt(frame.gasUsed));
      }
    }
  }
});

type VmTrace = { ops: { pc: number; op: string; cost: number; ex: object | null; sub: VmTrace | null }[] };
type StructLogs = { structLogs: { pc: number; op: string; gasCost: number; error?: string }[] };
type FlatCall = { action: Record<string, string>; error?: string; traceAddress: number[]; subtraces: number };

const listOperations = ({ ops }: VmTrace): VmTrace["ops"] =>
  ops.flatMap((operation) => [operation, ...(operation.sub ? listOperations(operation.sub) : [])]);

it("lists the same opcodes in vmTrace as in the struct logger", async () => {
  for (const number of listBlocks()) {
    const replays = await ask<{ vmTrace: VmTrace }[]>("trace_replayBlockTransactions", toNumber(number), ["vmTrace"]);
    const structs = await ask<Wire>("debug_traceBlockByNumber", toNumber(number), { disableStack: true });
    for (const [index, { vmTrace }] of replays.entries()) {
      const { structLogs } = structs[index]!.result as StructLogs;
      const ran = listOperations(vmTrace);
      expect(ran.map(({ pc, op }) => [pc, op])).toEqual(structLogs.map(({ pc, op }) => [pc, op]));
      const done = structLogs.filter((_, at) => ran[at]!.ex);
      expect(ran.filter(({ ex }) => ex).map(({ cost }) => cost)).toEqual(done.map(({ gasCost }) => gasCost));
      expect(done.filter(({ error }) => error)).toEqual([]);
    }
  }
});

it("returns the same calls in flat traces as in the call tracer, and the same changes in state diffs", async () => {
  for (const number of listBlocks()) {
    const tracer = { tracer: "flatCallTracer", tracerConfig: { includePrecompiles: true } };
    const flat = await ask<{ result: FlatCall[] }[]>("debug_traceBlockByNumber", toNumber(number), tracer);
    const nested = await ask<Wire>("debug_traceBlockByNumber", toNumber(number), callTracer);
    const replays = await ask<{ stateDiff: object }[]>("trace_replayBlockTransactions", toNumber(number), [
      "stateDiff",
    ]);
    const diffs = await ask<{ result: Diff }[]>("debug_traceBlockByNumber", toNumber(number), diffTracer);
    for (const [index, { result }] of flat.entries()) {
      const frames = listFrames(nested[index]!.result as Frame);
      expect(result.map(({ error, subtraces }) => [error, subtraces])).toEqual(
        frames.map(({ error, calls }) => [error, calls?.length ?? 0]),
      );
      expect(result.map(({ action }) => action.from ?? action.address)).toEqual(frames.map(({ from }) => from));
      const { pre, post } = diffs[index]!.result;
      const changed = [...new Set([...Object.keys(pre), ...Object.keys(post)])].sort();
      expect(Object.keys(replays[index]!.stateDiff)).toEqual(changed);
    }
  }
});

it("returns state diffs that lead from each block's state to the next", async () => {
  const { store } = node.chain;
  for (const number of listBlocks()) {
    const traces = await ask<{ result: Diff }[]>("debug_traceBlockByNumber", toNumber(number), diffTracer);
    /** The state after the transactions so far. Fields that no transaction has changed are absent. */
    const state = new Map<Address, WireAccount | undefined>();
    for (const { result } of traces) {
      for (const [address, before] of Object.entries(result.pre) as [Address, WireAccount][]) {
        const known = state.get(address);
        const stored = known ? undefined : await store.findAccount(address, number - 1);
        // Each diff starts from the state that the previous diff ends with.
        expect(before.balance ?? "0x0").toBe(known?.balance ?? `0x${(stored?.balance ?? 0n).toString(16)}`);
        for (const [slot, value] of Object.entries(before.storage ?? {}) as [Hash, Hash][]) {
          expect(value).toBe(known?.storage?.[slot] ?? (await store.findSlot(address, slot, number - 1)));
        }
        const after = result.post[address];
        if (!after) state.set(address, undefined);
      }
      for (const [address, after] of Object.entries(result.post) as [Address, WireAccount][]) {
        const before = result.pre[address] ?? {};
        const known = state.get(address) ?? {};
        const cleared = Object.keys(before.storage ?? {}).filter((slot) => !(slot in (after.storage ?? {})));
        state.set(address, {
          ...known,
          ...before,
          ...after,
          storage: {
            ...known.storage,
            ...after.storage,
            ...Object.fromEntries(cleared.map((slot) => [slot, `0x${"00".repeat(32)}`])),
          },
        });
      }
    }
    for (const [address, expected] of state) {
      const account = await store.findAccount(address, number);
      if (!expected) {
        expect(account).toBeUndefined();
        continue;
      }
      expect(`0x${(account?.balance ?? 0n).toString(16)}`).toBe(expected.balance ?? "0x0");
      expect(Number(account?.nonce ?? 0n)).toBe(expected.nonce ?? 0);
      expect(await ask("eth_getCode", address, toNumber(number))).toBe(expected.code ?? "0x");
      for (const [slot, value] of Object.entries(expected.storage ?? {}) as [Hash, Hash][]) {
        expect((await store.findSlot(address, slot, number)) ?? `0x${"00".repeat(32)}`).toBe(value);
      }
    }
  }
});
