/**
 * Compares Tollscan with anvil on the same genesis and random transactions: everything that standards define must be
 * equal. The only exceptions are in the table below, each with its reason.
 */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toQuantity } from "@/lib/units";
import { createGenesis } from "@/server/chain/genesis";
import { loadConfig } from "@/server/config/config";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, Block, Hash, Hex } from "@/server/ethereum/types";
import { type AnvilPeer, startAnvilPeer } from "@/server/rpc/testing/anvilPeer";
import { createRandom } from "@/server/rpc/testing/malformed";
import { authorities, createRandomTransactions, senders } from "@/server/rpc/testing/randomTransactions";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import type { RpcAnswer } from "@/server/testing/anvilProcess";

const seed = 4_711;
const rounds = 24;
const perRound = 8;

const authorityPaths = authorities.map(({ address }) => address.toLowerCase()).join("|");

/** A difference that is allowed: the method, the path in its result, and the reason. */
const allowed: { method: RegExp; path: RegExp; why: string }[] = [
  {
    method: /./,
    path: /^\/(\d+\/)?(hash|parentHash|blockHash|stateRoot|extraData|mixHash|size|logs\/\d+\/blockHash)$/,
    why: "Headers name different builders and build on different genesis blocks, so hashes differ.",
  },
  {
    method: /^eth_getBlockByNumber$/,
    path: /^\/totalDifficulty$/,
    why: "execution-apis dropped the field after the merge.",
  },
  {
    method: /^eth_getTransactionReceipt$/,
    path: /^\/(blobGasPrice|blockTimestamp)$/,
    why: "execution-apis defines blobGasPrice only for blob transactions, and no timestamp in receipts.",
  },
  {
    method: /^debug_traceTransaction$/,
    path: /^\/(gas|gasUsed)$/,
    why: "anvil omits intrinsic gas from the first frame and counts the block's gas; ours is checked separately.",
  },
  {
    method: /^debug_traceTransaction$/,
    path: new RegExp(`^/(${authorityPaths})$`),
    why: "geth lists the signer of every authorization, anvil only of valid ones.",
  },
];

let node: TestNode;
let anvil: AnvilPeer;
const blocks: Block[] = [];
const mined: Hash[] = [];
let random: ReturnType<typeof createRandom>;
let generator: ReturnType<typeof createRandomTransactions>;

async function ask(method: string, params: unknown[]): Promise<[ours: RpcAnswer, theirs: RpcAnswer]> {
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return (await Promise.all([node.post(request), anvil.ask(method, params)])) as [RpcAnswer, RpcAnswer];
}

/** Lists every path at which two values differ in a way that isn't allowed. */
function listDifferences(method: string, ours: unknown, theirs: unknown, path = ""): string[] {
  if (Object.is(ours, theirs)) return [];
  if (allowed.some((entry) => entry.method.test(method) && entry.path.test(path))) return [];
  if (typeof ours !== "object" || typeof theirs !== "object" || ours === null || theirs === null) {
    const show = (value: unknown) => JSON.stringify(value)?.slice(0, 300);
    return [`${method} ${path}: ours ${show(ours)}, anvil's ${show(theirs)}`];
  }
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...keys].flatMap((key) =>
    listDifferences(method, Reflect.get(ours, key), Reflect.get(theirs, key), `${path}/${key}`),
  );
}

type Frame = { output?: string; error?: string; logs?: unknown[]; calls?: Frame[] };
const isRevert = (error: string) => error === "execution reverted";

/**
 * Reduces a call trace to the parts that geth defines. Each engine has its own wording for errors other than reverts.
 * anvil keeps the logs of failed calls, and it keeps one level of subcalls even with `onlyTopCall`. Unlike geth and
 * anvil, Tollscan always includes the output and the list of logs.
 */
function toComparableFrame(frame: Frame, isTopOnly: boolean, hasFailed = false): Frame {
  const failed = hasFailed || frame.error !== undefined;
  const { logs, calls, error, ...rest } = frame;
  return {
    output: "0x",
    ...rest,
    ...(error === undefined ? {} : { error: isRevert(error) ? error : "failed" }),
    ...(logs?.length && !failed ? { logs } : {}),
    ...(calls && !isTopOnly ? { calls: calls.map((inner) => toComparableFrame(inner, false, failed)) } : {}),
  };
}

type Accounts = Record<string, { balance?: string; nonce?: number; code?: string }>;

/** Removes accounts that did not exist, which geth omits and anvil lists as empty. */
function withoutAbsent(accounts: Accounts): Accounts {
  const present = Object.entries(accounts).filter(
    ([, { balance, nonce, code }]) => balance !== "0x0" || nonce !== undefined || code !== undefined,
  );
  return Object.fromEntries(present);
}

function toComparableTrace(trace: unknown, tracer: string, isTopOnly: boolean): unknown {
  if (tracer === "callTracer") return toComparableFrame(trace as Frame, isTopOnly);
  const { pre, post } = trace as { pre?: Accounts; post?: Accounts };
  return pre ? { pre: withoutAbsent(pre), post } : withoutAbsent(trace as Accounts);
}

type FlatCall = { action: { to?: string; value?: string }; error?: string; traceAddress: number[]; subtraces: number };

const isPrecompileCall = ({ action: { to, value }, traceAddress }: FlatCall) =>
  traceAddress.length > 0 && to !== undefined && BigInt(to) > 0n && BigInt(to) <= 0x100n && value === "0x0";

/**
 * Removes the messages of failures other than reverts. Also removes calls to precompiles, which anvil lists but Parity
 * doesn't.
 */
function toComparableCalls(calls: FlatCall[]): FlatCall[] {
  const shown = calls.filter((call) => !isPrecompileCall(call));
  const places = new Map([["", [] as number[]]]);
  const counts = new Map<string, number>();
  return shown.map((call) => {
    const above = call.traceAddress.slice(0, -1).join();
    const index = counts.get(above) ?? 0;
    if (call.traceAddress.length > 0) {
      counts.set(above, index + 1);
      places.set(call.traceAddress.join(), [...places.get(above)!, index]);
    }
    const own = call.traceAddress.join();
    const subtraces = shown.filter(
      ({ traceAddress: [...other] }) => other.length > 0 && other.slice(0, -1).join() === own,
    );
    const { error, ...rest } = call;
    return {
      ...rest,
      ...(error === undefined ? {} : { error: error === "Reverted" ? error : "failed" }),
      traceAddress: places.get(own)!,
      subtraces: subtraces.filter((other) => other.traceAddress.length === call.traceAddress.length + 1).length,
    };
  });
}

async function compare(method: string, params: unknown[]): Promise<string[]> {
  const [ours, theirs] = await ask(method, params);
  if (ours.error || theirs.error) {
    const side = (answer: RpcAnswer) =>
      answer.error ? `error ${answer.error.code} ${answer.error.message}` : "a result";
    return [`${method} ${JSON.stringify(params)}: ours ${side(ours)}, anvil's ${side(theirs)}`];
  }
  return listDifferences(method, ours.result, theirs.result).map((text) => `${text} of ${JSON.stringify(params)}`);
}

async function compareAll(method: string, paramLists: unknown[][]): Promise<string[]> {
  const differences: string[] = [];
  for (const params of paramLists) differences.push(...(await compare(method, params)));
  return differences;
}

beforeAll(async () => {
  const network = loadConfig({}, tmpdir()).networks[0];
  const spec = toEmbeddedSpec(network.chainId);
  const genesis = createGenesis(network, spec);
  // EIP-7702 grants a refund if the delegating account exists. anvil grants it even if the account doesn't exist, so
  // all authorities exist from genesis.
  for (const { address } of authorities) genesis.alloc[address.toLowerCase() as Address] = { balance: 1n };
  node = await createTestNode({ chain: { spec, genesis } });
  const { chain } = node;
  const { number, timestamp, gasLimit } = chain.head();
  expect(number).toBe(0);
  anvil = await startAnvilPeer({ chainId: network.chainId, timestamp, gasLimit });
  for (const [address, account] of Object.entries(genesis.alloc)) await anvil.place(address as Address, account);

  chain.onHead(({ block }) => blocks.push(block));
  random = createRandom(seed);
  generator = createRandomTransactions({
    random,
    chainId: network.chainId,
    token: network.tokens[0]!.address.toLowerCase() as Address,
  });
  const nonceOf = async (address: Address) =>
    Number((await chain.store.findAccount(address, chain.head().number))?.nonce ?? 0n);
  for (let round = 0; round < rounds; round++) {
    node.tick(3);
    const raws: Hex[] = [];
    for (let left = perRound; left > 0; left--) raws.push(await generator.next(nonceOf));
    const from = blocks.length;
    const hashes = await Promise.all(raws.map((raw) => chain.submit(toBytes(raw))));
    for (const hash of hashes) {
      const transaction = await chain.waitForTransaction(hash, 120_000);
      if (!transaction) throw new Error(`${hash} was not mined: ${chain.pool.findStatus(hash)?.reason}`);
      const created = transaction?.receipt.contractAddress;
      if (created && transaction.receipt.status === 1) generator.contracts.push(created);
    }
    mined.push(...hashes);
    for (const block of blocks.slice(from)) await anvil.follow(block);
  }
}, 120_000);
afterAll(async () => {
  await anvil?.close();
  await node?.close();
});

const everyone = () => [
  ...new Set([...senders, ...authorities].map(({ address }) => address.toLowerCase()).concat(generator.contracts)),
];

describe("our node and anvil", () => {
  it("mine every kind of transaction and outcome", async () => {
    const receipts = await Promise.all(mined.map((hash) => node.chain.store.findTransaction(hash)));
    const kinds = new Set(receipts.map((one) => `${one?.transaction.type} ${one?.receipt.status}`));
    expect([...kinds].sort()).toEqual(["0 0", "0 1", "1 0", "1 1", "2 0", "2 1", "4 0", "4 1"]);
    expect(receipts.filter((one) => one?.receipt.contractAddress).length).toBeGreaterThan(20);
  });

  it("have equal blocks, except for fields that depend on the genesis", async () => {
    expect(
      await compareAll(
        "eth_getBlockByNumber",
        blocks.map(({ header }) => [toQuantity(header.number), false]),
      ),
    ).toEqual([]);
  });

  it("return the same receipts and transactions", async () => {
    expect(
      await compareAll(
        "eth_getTransactionReceipt",
        mined.map((hash) => [hash]),
      ),
    ).toEqual([]);
    expect(
      await compareAll(
        "eth_getTransactionByHash",
        mined.map((hash) => [hash]),
      ),
    ).toEqual([]);
    const range = { fromBlock: "0x0", toBlock: "latest" };
    expect(await compareAll("eth_getLogs", [[range]])).toEqual([]);
  });

  it("have the same account balances, nonces, code and storage", async () => {
    const accounts = everyone().concat(`0x${"00".repeat(20)}`);
    expect(
      await compareAll(
        "eth_getBalance",
        accounts.map((address) => [address, "latest"]),
      ),
    ).toEqual([]);
    expect(
      await compareAll(
        "eth_getTransactionCount",
        accounts.map((address) => [address, "latest"]),
      ),
    ).toEqual([]);
    expect(
      await compareAll(
        "eth_getCode",
        accounts.map((address) => [address, "latest"]),
      ),
    ).toEqual([]);
    const slots = accounts.flatMap((address) =>
      [0, 1, 2, 3, 4, 5].map((slot) => [address, toQuantity(slot), "latest"]),
    );
    expect(await compareAll("eth_getStorageAt", slots)).toEqual([]);
  });

  it.each([
    ["callTracer", {}],
    ["callTracer", { withLog: true }],
    ["callTracer", { onlyTopCall: true }],
    ["prestateTracer", {}],
    ["prestateTracer", { diffMode: true }],
  ])("return the same traces for %s %j", async (tracer, tracerConfig) => {
    const differences: string[] = [];
    for (const hash of mined) {
      const params = [hash, { tracer, tracerConfig }];
      const [ours, theirs] = await ask("debug_traceTransaction", params);
      const toComparable = ({ result }: RpcAnswer) => toComparableTrace(result, tracer, "onlyTopCall" in tracerConfig);
      const found = listDifferences("debug_traceTransaction", toComparable(ours), toComparable(theirs));
      if (found.length === 0) continue;
      // If an opcode fails, geth lists the state that the opcode touched only if the failure happened while the opcode
      // was executing. anvil follows a different rule.
      const calls = await node.request({ method: "debug_traceTransaction", params: [hash, { tracer: "callTracer" }] });
      const hasHalted = tracer === "prestateTracer" && /"error":"(?!execution reverted")/.test(JSON.stringify(calls));
      differences.push(
        ...found
          .filter((text) => !(hasHalted && /: ours undefined, |, anvil's undefined$/.test(text)))
          .map((text) => `${text} of ${hash}`),
      );
    }
    expect(differences).toEqual([]);
  });

  it("return the same flat traces of calls", async () => {
    const differences: string[] = [];
    for (const hash of mined) {
      const [ours, theirs] = await ask("trace_transaction", [hash]);
      const [own, other] = [ours, theirs].map(({ result }) => toComparableCalls(result as FlatCall[]));
      differences.push(...listDifferences("trace_transaction", own, other).map((text) => `${text} of ${hash}`));
    }
    expect(differences).toEqual([]);
  });

  it.each([
    ["opcodes", "step: function(log) { this.seen.push([log.op.toString(), log.getPC(), log.getDepth()]) }"],
    [
      "stacks",
      "step: function(log) { this.seen.push(log.stack.length() > 0 ? log.stack.peek(0).toString(16) : null) }",
    ],
    [
      "contracts",
      "step: function(log) { this.seen.push([toHex(log.contract.getAddress()), log.contract.getValue().toString()]) }",
    ],
  ])("return the same results of a JavaScript tracer of %s", async (_, step) => {
    const tracer = `{ seen: [], ${step}, fault: function() {}, result: function() { return this.seen } }`;
    const differences: string[] = [];
    for (const hash of mined.slice(0, 20)) {
      const [ours, theirs] = await ask("debug_traceTransaction", [hash, { tracer }]);
      expect(ours.error).toBeUndefined();
      const found = listDifferences("javascript", ours.result, theirs.result);
      differences.push(...found.map((text) => `${text} of ${hash}`));
    }
    expect(differences).toEqual([]);
  });

  it("trace a transaction with its own gas limit and its receipt's gas used", async () => {
    for (const hash of mined) {
      const found = await node.chain.store.findTransaction(hash);
      const trace = await node.request({ method: "debug_traceTransaction", params: [hash, { tracer: "callTracer" }] });
      expect(trace).toMatchObject({
        gas: toQuantity(found!.transaction.gasLimit),
        gasUsed: toQuantity(found!.receipt.gasUsed),
      });
    }
  });

  it("return the same call results, including revert data", async () => {
    const faults: string[] = [];
    let reverted = 0;
    for (let left = 150; left > 0; left--) {
      const call = toWireCall(generator.nextCall());
      const [ours, theirs] = await ask("eth_call", [call, "latest"]);
      if (ours.error?.code === 3) reverted++;
      const kind = ({ error }: RpcAnswer) =>
        error ? (error.code === 3 ? `reverted ${error.data}` : "failed") : "done";
      if (kind(ours) !== kind(theirs) || ours.result !== theirs.result) {
        faults.push(toFault(call, ours, theirs));
      }
    }
    expect(faults).toEqual([]);
    expect(reverted).toBeGreaterThan(5);
  });

  it("give gas estimates that suffice in anvil, while one unit less does not", async () => {
    const faults: string[] = [];
    let estimated = 0;
    for (let left = 60; left > 0; left--) {
      const { gas: _, ...call } = toWireCall(generator.nextCall());
      const [ours, theirs] = await ask("eth_estimateGas", [call, "latest"]);
      if (ours.error && theirs.error) continue;
      if (ours.error || theirs.error) {
        // anvil returns 21,000 for any call without input, and it may return more than the EIP-7825 limit.
        const claimed = BigInt((theirs.result as string | undefined) ?? 0);
        const gas = toQuantity(claimed < transactionGasCap ? claimed : transactionGasCap);
        const isRight = !(await anvil.ask("eth_call", [{ ...call, gas }, "latest"])).error;
        if (theirs.error || isRight) faults.push(toFault(call, ours, theirs));
        continue;
      }
      estimated++;
      const gas = BigInt(ours.result as string);
      const enough = await anvil.ask("eth_call", [{ ...call, gas: toQuantity(gas) }, "latest"]);
      const less = await anvil.ask("eth_call", [{ ...call, gas: toQuantity(gas - 1n) }, "latest"]);
      if (enough.error || !less.error || gas > BigInt(theirs.result as string)) {
        faults.push(toFault(call, { ours, enough, less }, theirs));
      }
    }
    expect(faults).toEqual([]);
    expect(estimated).toBeGreaterThan(20);
  });

  it("create access lists with the same gas cost", async () => {
    const faults: string[] = [];
    let listed = 0;
    for (let left = 80; left > 0; left--) {
      const call = toWireCall(generator.nextCall());
      const [ours, theirs] = await ask("eth_createAccessList", [call, "latest"]);
      const { gasUsed, accessList, error } = ours.result as Listed;
      // If the call fails, the standard response has the access list and the error; anvil's has only the error.
      if (error && theirs.error) continue;
      const result = theirs.result as Listed | undefined;
      const [own, known] = [toEntries(accessList), toEntries(result?.accessList ?? [])];
      // Like geth, Tollscan repeats the call until its access list stops changing, and it includes the code of
      // delegates (EIP-7702) in the list. anvil does neither.
      const isLonger = own.size > known.size && [...known].every((entry) => own.has(entry));
      if (!isLonger) listed++;
      if (error || (!isLonger && result?.gasUsed !== gasUsed)) faults.push(toFault(call, ours, theirs));
    }
    expect(faults).toEqual([]);
    expect(listed).toBeGreaterThan(20);
  });
});

type Listed = { gasUsed: string; accessList: { address: string; storageKeys: string[] }[]; error?: string };

/** Lists every address and slot in an access list. */
const toEntries = (list: Listed["accessList"]) =>
  new Set(list.flatMap(({ address, storageKeys }) => [address, ...storageKeys.map((key) => address + key)]));

const transactionGasCap = 16_777_216n;

const toFault = (call: unknown, ours: unknown, theirs: unknown) =>
  `${JSON.stringify(call)}: ours ${JSON.stringify(ours)}, anvil's ${JSON.stringify(theirs)}`;

function toWireCall({ from, to, input, value, gas }: ReturnType<typeof generator.nextCall>) {
  return { from, ...(to ? { to } : {}), input, value: toQuantity(value), gas: toQuantity(gas) };
}
