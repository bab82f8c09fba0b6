/**
 * The reference engine, @ethereumjs/evm, with a separate state and transition. The only rules that it shares with the
 * engine under test are the intrinsic gas, the blob base fee and the point evaluation precompile.
 */
import { type AccountFields, Common, Hardfork, type StateManagerInterface } from "@ethereumjs/common";
import { createEVM, type EVM, EVMError, type ExecResult, type PrecompileInput } from "@ethereumjs/evm";
import { Account, bytesToHex, Address as EngineAddress, hexToBytes } from "@ethereumjs/util";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { blobBaseFee } from "@/server/ethereum/fees";
import { intrinsicGas } from "@/server/ethereum/intrinsicGas";
import { type ForkName, forkNames } from "@/server/ethereum/spec";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import { pointEvaluation } from "@/server/evm/precompiles/pointEvaluation";
import type { EvmCase, EvmOutcome, WorldState } from "@/server/execution/testing/evmCase";
import { hashOfBlock, toForkSpec } from "@/server/execution/testing/ownEvm";

type State = StateManagerInterface & {
  reset(world: EvmCase["world"]): void;
  dump(): WorldState;
};
/** The fields of an instruction handler's input that are used here. */
type RunState = { gasLeft: bigint; env: { depth: number } };
type Handlers = Record<number, { opHandler(runState: RunState, common: Common): unknown } | undefined>;
type Reference = { evm: EVM; state: State; watch: { onStep(runState: RunState): void } };

const references = new Map<ForkName, Promise<Reference>>();

/**
 * For each instruction in the outermost frame, the gas that the frame had used after paying for it. A gas limit just
 * below one of these values changes the outcome.
 */
export type GasSteps = bigint[];

/** Runs the case. If `steps` is given, appends to it the gas used at each instruction in the outermost frame. */
export async function runReference({ fork, env, world, message }: EvmCase, steps?: GasSteps): Promise<EvmOutcome> {
  const { evm, state, watch } = await getReference(fork);
  const has = (name: ForkName) => forkNames.indexOf(fork) >= forkNames.indexOf(name);
  const spec = toForkSpec(fork);
  state.reset(world);
  evm.journal.cleanJournal();
  evm.transientStorage.clear();
  const { intrinsic, floor } = intrinsicGas(spec, env, message);
  const gasPrice = message.gasPrice ?? 0n;
  const from = toAddress(message.from);
  const gasLimit = message.gasLimit - intrinsic;
  if (gasLimit < 0n || message.gasLimit < floor) return { refusal: "intrinsic gas too low" };
  const sender = (await state.getAccount(from)) ?? new Account();
  if (sender.balance < message.gasLimit * gasPrice + message.value) {
    return { refusal: "insufficient funds for gas * price + value" };
  }
  sender.nonce += 1n;
  sender.balance -= message.gasLimit * gasPrice;
  await evm.journal.putAccount(from, sender);
  if (has("berlin")) {
    for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address);
    evm.journal.addAlwaysWarmAddress(message.from);
    if (message.to !== undefined) evm.journal.addAlwaysWarmAddress(message.to);
    if (has("shanghai")) evm.journal.addAlwaysWarmAddress(env.coinbase);
    for (const { address, storageKeys } of message.accessList ?? []) {
      evm.journal.addAlwaysWarmAddress(address);
      for (const key of storageKeys) evm.journal.addAlwaysWarmSlot(address, key);
    }
  }
  watch.onStep = ({ gasLeft, env: { depth } }) => {
    if (depth === 0) steps?.push(gasLimit - gasLeft);
  };
  const { execResult } = await evm.runCall({
    block: {
      header: {
        number: BigInt(env.number),
        coinbase: toAddress(env.coinbase),
        timestamp: BigInt(env.timestamp),
        difficulty: env.difficulty,
        prevRandao: hexToBytes(env.prevRandao),
        gasLimit: env.gasLimit,
        ...(env.baseFeePerGas === undefined ? {} : { baseFeePerGas: env.baseFeePerGas }),
        getBlobGasPrice: () => blobBaseFee(spec, env, env.excessBlobGas),
      },
    },
    caller: from,
    gasPrice,
    gasLimit,
    ...(message.to === undefined ? {} : { to: toAddress(message.to) }),
    value: message.value,
    data: hexToBytes(message.input),
    skipNonceIncrement: true,
  });
  const gasSpent = intrinsic + execResult.executionGasUsed;
  const most = gasSpent / (has("london") ? 5n : 2n);
  const refund = execResult.gasRefund ?? 0n;
  const net = gasSpent - (refund < most ? refund : most);
  const gasUsed = net < floor ? floor : net;
  await pay(evm, from, (message.gasLimit - gasUsed) * gasPrice);
  await pay(evm, toAddress(env.coinbase), gasUsed * (gasPrice - (has("london") ? (env.baseFeePerGas ?? 0n) : 0n)));
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (has("cancun") && !execResult.createdAddresses?.has(address)) continue;
    await evm.journal.deleteAccount(toAddress(address));
  }
  await evm.journal.cleanup();
  const error = execResult.exceptionError?.error;
  // If a precompile rejects its input, the library also reports a revert, although all gas is used up.
  const isRevert = error === EVMError.errorMessages.REVERT && execResult.runState !== undefined;
  if (!has("spuriousDragon")) await pay(evm, toAddress(env.coinbase), 0n);
  return {
    status: error === undefined ? "success" : isRevert ? "revert" : "halt",
    gasSpent,
    gasUsed,
    output: bytesToHex(execResult.returnValue),
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
    })),
    state: state.dump(),
  };
}

async function pay(evm: EVM, to: EngineAddress, wei: bigint): Promise<void> {
  const account = (await evm.stateManager.getAccount(to)) ?? new Account();
  account.balance += wei;
  await evm.journal.putAccount(to, account);
}

function getReference(fork: ForkName): Promise<Reference> {
  let reference = references.get(fork);
  if (!reference) {
    reference = createReference(fork);
    references.set(fork, reference);
  }
  return reference;
}

async function createReference(fork: ForkName): Promise<Reference> {
  const state = createState();
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => hexToBytes(hashOfBlock(number)) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  const toName = (name: ForkName) => (name === "frontier" ? Hardfork.Chainstart : name);
  const common = new Common({
    chain: {
      name: "reference",
      chainId: 1,
      genesis: { gasLimit: 0, difficulty: 0, nonce: "0x0000000000000000", extraData: "0x" },
      hardforks: forkNames.map((name) => ({ name: toName(name), block: 0 })),
      bootstrapNodes: [],
      consensus: { type: "pow", algorithm: "ethash", ethash: {} },
    },
    hardfork: toName(fork),
  });
  // Replaces the library's point evaluation precompile, because its trusted setup takes ten seconds to load.
  // kzg.test.ts covers proofs.
  const customPrecompiles =
    forkNames.indexOf(fork) < forkNames.indexOf("cancun")
      ? []
      : [{ address: toAddress(pointEvaluationAddress), function: evaluatePoint }];
  const evm = await createEVM({ common, stateManager: state, blockchain, customPrecompiles });
  const watch: Reference["watch"] = { onStep() {} };
  // Wraps the instruction handlers. The library's step event would copy the whole memory, and fails if memory is large.
  for (const entry of Object.values((evm as unknown as { _opcodeMap: Handlers })._opcodeMap)) {
    if (!entry) continue;
    const { opHandler } = entry;
    entry.opHandler = (runState, given) => {
      watch.onStep(runState);
      return opHandler(runState, given);
    };
  }
  return { state, evm, watch };
}

const pointEvaluationAddress: Address = `0x${"0a".padStart(40, "0")}`;

function evaluatePoint({ data, gasLimit }: PrecompileInput): ExecResult {
  const result = pointEvaluation(data, gasLimit);
  if (!("failure" in result)) return { executionGasUsed: result.gasUsed, returnValue: result.output };
  const error = new EVMError(EVMError.errorMessages.INVALID_INPUTS);
  return { executionGasUsed: gasLimit, returnValue: emptyCode, exceptionError: error };
}

const toAddress = (address: Hex) => new EngineAddress(hexToBytes(address));
const emptyCode = new Uint8Array(0);

/** Keeps accounts, code and slots in maps, with a list of undo steps for each checkpoint. */
function createState(): State {
  let accounts = new Map<Hex, Account>();
  let codes = new Map<Hex, Uint8Array>();
  let slots = new Map<Hex, Map<Hex, Uint8Array>>();
  let originals = new Map<string, Uint8Array>();
  let undo: (() => void)[] = [];
  let marks: number[] = [];

  function write<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
    const before = map.get(key);
    undo.push(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
  const copy = ({ nonce, balance, storageRoot, codeHash }: Account) =>
    new Account(nonce, balance, storageRoot, codeHash);
  const read = (address: EngineAddress, key: Uint8Array) =>
    slots.get(address.toString())?.get(bytesToHex(key)) ?? emptyCode;

  const state: State = {
    reset(world) {
      accounts = new Map();
      codes = new Map();
      slots = new Map();
      originals = new Map();
      undo = [];
      marks = [];
      for (const [key, { balance, nonce, code, storage }] of Object.entries(world)) {
        const address = key as Hex;
        const bytes = hexToBytes(code ?? "0x");
        accounts.set(address, new Account(nonce ?? 0n, balance, undefined, hexToBytes(keccakHex(bytes))));
        if (bytes.length > 0) codes.set(keccakHex(bytes), bytes);
        slots.set(
          address,
          new Map(Object.entries(storage ?? {}).map(([slot, value]) => [slot as Hex, trim(hexToBytes(value as Hex))])),
        );
      }
    },
    dump() {
      const dumped: WorldState = new Map();
      for (const [address, { balance, nonce, codeHash }] of accounts) {
        const storage = new Map<Hash, Hash>();
        for (const [slot, value] of slots.get(address) ?? []) {
          if (value.length > 0) storage.set(slot, `0x${bytesToHex(value).slice(2).padStart(64, "0")}`);
        }
        dumped.set(address as Address, { balance, nonce, codeHash: bytesToHex(codeHash), storage });
      }
      return dumped;
    },
    async getAccount(address) {
      const account = accounts.get(address.toString());
      return account && copy(account);
    },
    async putAccount(address, account) {
      write(accounts, address.toString(), account && copy(account));
    },
    async deleteAccount(address) {
      write(accounts, address.toString(), undefined);
      write(slots, address.toString(), undefined);
    },
    async modifyAccountFields(address, fields: AccountFields) {
      const account = (await state.getAccount(address)) ?? new Account();
      account.nonce = fields.nonce ?? account.nonce;
      account.balance = fields.balance ?? account.balance;
      account.codeHash = fields.codeHash ?? account.codeHash;
      write(accounts, address.toString(), account);
    },
    async putCode(address, code) {
      codes.set(keccakHex(code), code);
      await state.modifyAccountFields(address, { codeHash: hexToBytes(keccakHex(code)) });
    },
    async getCode(address) {
      const account = accounts.get(address.toString());
      return (account && codes.get(bytesToHex(account.codeHash))) ?? emptyCode;
    },
    getCodeSize: async (address) => (await state.getCode(address)).length,
    getStorage: async (address, key) => read(address, key),
    async putStorage(address, key, value) {
      const name = `${address.toString()}${bytesToHex(key)}`;
      if (!originals.has(name)) originals.set(name, read(address, key));
      const ofAccount = slots.get(address.toString()) ?? new Map<Hex, Uint8Array>();
      if (!slots.has(address.toString())) write(slots, address.toString(), ofAccount);
      write(ofAccount, bytesToHex(key), trim(value));
    },
    async clearStorage(address) {
      write(slots, address.toString(), undefined);
    },
    async checkpoint() {
      marks.push(undo.length);
    },
    async commit() {
      marks.pop();
    },
    async revert() {
      const mark = marks.pop() ?? 0;
      while (undo.length > mark) undo.pop()!();
    },
    originalStorageCache: {
      get: async (address, key) => originals.get(`${address.toString()}${bytesToHex(key)}`) ?? read(address, key),
      clear: () => originals.clear(),
    },
    clearCaches() {},
    getStateRoot: () => Promise.reject(new Error("The reference has no roots.")),
    setStateRoot: () => Promise.reject(new Error("The reference has no roots.")),
    hasStateRoot: () => Promise.reject(new Error("The reference has no roots.")),
    shallowCopy() {
      throw new Error("The state of a run is not copied.");
    },
  };
  return state;
}

function trim(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  return bytes.subarray(start);
}
