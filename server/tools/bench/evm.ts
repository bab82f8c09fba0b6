/**
 * npm run bench:evm: compares our EVM, with and without compiled code, with @ethereumjs/evm on the same calls and
 * state. The engines take turns on one thread. Flags: `--rounds`, `--ms`, `--only` (selects rows by part of their
 * name), `--own` (skips the other engine) and `--dry` (leaves BENCHMARKS.md unchanged).
 */
import { parseArgs } from "node:util";
import { Common, Hardfork } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { Account as PeerAccount, Address as PeerAddress } from "@ethereumjs/util";
import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { toTransferAuthorizationData } from "@/lib/x402/typedData";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { emptyAccount } from "@/server/ethereum/message";
import { forkNames, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, GenesisAccount, Hash } from "@/server/ethereum/types";
import { noTier, type TierLimits, usualLimits } from "@/server/evm/tier/tier";
import { type Engine, setTier, withEngine } from "@/server/execution/engine";
import { createOverlay } from "@/server/execution/state/overlay";
import type { BlockEnv } from "@/server/ports/executor";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/tools/bench/report";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    ms: { type: "string", default: "1000" },
    dry: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    own: { type: "boolean", default: false },
  },
});

const chainId = 31_337;
const payer = privateKeyToAccount(`0x${"11".repeat(32)}`);
const from = payer.address.toLowerCase() as Address;
const token: Address = `0x${"70".repeat(20)}`;
const payee: Address = `0x${"b0".repeat(20)}`;
const gas = 10_000_000n;
const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
]);

const env: BlockEnv = {
  number: 1,
  timestamp: 1_000,
  coinbase: `0x${"cb".repeat(20)}`,
  gasLimit: gas,
  difficulty: 0n,
  prevRandao: `0x${"00".repeat(32)}`,
  parentHash: `0x${"00".repeat(32)}`,
  baseFeePerGas: 0n,
  excessBlobGas: 0n,
};

/** Creates code that repeats the body until the gas runs out. The body must leave the stack as it found it. */
const endless = (start: string, body: string): Hex => {
  const at = (start.length / 2).toString(16).padStart(2, "0");
  return `0x${start}5b${body}60${at}56`;
};
const wide = `7f${"f7".repeat(31)}01`;
const programs: Record<string, Hex> = {
  // hashes a word that stays in memory
  "hash loop": endless("", "60206000205f52"),
  // calculates with a counter: adds, multiplies, divides, masks, shifts both ways, compares
  "arithmetic loop, small numbers": endless("6001", "600301600702600590046103ff1660021b60011c8061ffff1001"),
  "arithmetic loop, whole words": endless(wide, `${wide}02${wide}01${wide}18${wide}90048060071c01`),
  // writes a word somewhere in the first 64 kB of memory and reads it back
  "memory loop": endless("6000", "60200161ffff1680805280518160400152"),
};

const authorization = {
  from: payer.address,
  to: payee,
  value: 1n,
  validAfter: 0n,
  validBefore: 10_000n,
  nonce: `0x${"22".repeat(32)}` as Hex,
};
const typed = toTransferAuthorizationData({ chainId, asset: token, name: "Dollar", version: "2" }, {
  ...authorization,
  value: "1",
  validAfter: "0",
  validBefore: "10000",
} as never);
const signature = await payer.signTypedData(typed as never);

const accounts: Record<Address, GenesisAccount> = {
  [from]: { balance: 10n ** 18n },
  [token]: toTokenAccount({
    name: "Dollar",
    symbol: "USD",
    decimals: 6,
    version: "2",
    eip3009: true,
    owner: from,
    balances: [{ address: from, units: 10n ** 12n }],
  }),
};
const calls: Record<string, { to: Address; input: Hex }> = {
  balanceOf: { to: token, input: encodeFunctionData({ abi, functionName: "balanceOf", args: [from] }) },
  "transferWithAuthorization (EIP-3009)": {
    to: token,
    input: encodeFunctionData({
      abi,
      functionName: "transferWithAuthorization",
      args: [from, payee, 1n, 0n, 10_000n, authorization.nonce, signature],
    }),
  },
};
for (const [index, [name, code]] of Object.entries(programs).entries()) {
  const to: Address = `0x${(0xc0de00 + index).toString(16).padStart(40, "0")}`;
  accounts[to] = { balance: 0n, nonce: 1n, code };
  calls[name] = { to, input: "0x" };
}

type Answer = { gasUsed: bigint; output: Hex };
type Side = { name: string; begin?(): void; run(call: { to: Address; input: Hex }): Promise<Answer> };

function createOwn(engine: Engine, name: string, limits: TierLimits): Side {
  return {
    name,
    begin: () => setTier(limits),
    async run({ to, input }) {
      engine.overlay.checkpoint();
      const message = { caller: from, to, isCreate: false, value: 0n, gas, input, gasPrice: 0n, isFree: true };
      const { gasLeft, output } = engine.run({ ...message, warm: [from, to] });
      engine.overlay.revert();
      return { gasUsed: gas - gasLeft, output: toHex(output) };
    },
  };
}

async function createPeer(): Promise<Side> {
  const evm = await createEVM({
    common: new Common({
      chain: {
        name: "peer",
        chainId,
        genesis: { gasLimit: 0, difficulty: 0, nonce: "0x0000000000000000", extraData: "0x" },
        hardforks: forkNames.map((name) => ({ name: name === "frontier" ? Hardfork.Chainstart : name, block: 0 })),
        bootstrapNodes: [],
        consensus: { type: "pow", algorithm: "ethash", ethash: {} },
      },
      hardfork: Hardfork.Osaka,
    }),
  });
  const toPeer = (address: Address) => new PeerAddress(toBytes(address));
  for (const [key, { balance, nonce, code, storage }] of Object.entries(accounts)) {
    const address = toPeer(key as Address);
    await evm.stateManager.putAccount(address, new PeerAccount(nonce ?? 0n, balance));
    if (code) await evm.stateManager.putCode(address, toBytes(code));
    for (const [slot, value] of Object.entries(storage ?? {})) {
      await evm.stateManager.putStorage(address, toBytes(slot), toBytes(value));
    }
  }
  const zero = new PeerAddress(new Uint8Array(20));
  const header = {
    number: 1n,
    coinbase: zero,
    timestamp: 1_000n,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    gasLimit: gas,
    baseFeePerGas: 0n,
    getBlobGasPrice: () => 1n,
  };
  return {
    name: "@ethereumjs/evm",
    async run({ to, input }) {
      for (const address of [from, to, ...evm.precompiles.keys()]) evm.journal.addAlwaysWarmAddress(address);
      await evm.journal.checkpoint();
      const caller = toPeer(from);
      const run = { block: { header }, caller, to: toPeer(to), data: toBytes(input), gasLimit: gas };
      const { execResult } = await evm.runCall({ ...run, skipNonceIncrement: true });
      await evm.journal.revert();
      evm.journal.cleanJournal();
      return { gasUsed: execResult.executionGasUsed, output: toHex(execResult.returnValue) };
    },
  };
}

/**
 * Measures calls per second or, for endless loops, millions of gas per second. Uses CPU time, because that excludes
 * other work on the machine.
 */
async function measure(side: Side, name: string): Promise<number> {
  const call = calls[name]!;
  const toMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
  const start = process.cpuUsage();
  const isLoop = name in programs;
  let done = 0;
  let gasUsed = 0n;
  let elapsedMs = 0;
  do {
    // Small calls run 100 times between readings of the clock, because reading the clock takes as long as such a call.
    for (let i = isLoop ? 99 : 0; i < 100; i++) {
      gasUsed += (await side.run(call)).gasUsed;
      done++;
    }
    elapsedMs = toMs(process.cpuUsage(start));
  } while (elapsedMs < Number(values.ms));
  return isLoop ? Number(gasUsed) / 1_000 / elapsedMs : (done * 1_000) / elapsedMs;
}

const overlay = createOverlay(undefined);
for (const [key, { balance, nonce, code, storage }] of Object.entries(accounts)) {
  const codeHash = code ? overlay.addCode(toBytes(code)) : emptyAccount.codeHash;
  overlay.putAccount(key as Address, { balance, nonce: nonce ?? 0n, codeHash });
  for (const [slot, value] of Object.entries(storage ?? {}))
    overlay.putSlot(key as Address, slot as Hash, value as Hash);
}

await withEngine({ spec: toEmbeddedSpec(chainId), env, overlay, reads: undefined }, async (engine) => {
  const own = [createOwn(engine, "ours", usualLimits), createOwn(engine, "ours, interpreted", noTier)];
  const sides = values.own ? own : [...own, await createPeer()];
  const ratios = ["to interpreted", ...(values.own ? [] : ["to @ethereumjs/evm"])];
  const rows: string[][] = [["In one thread", ...sides.map(({ name }) => name), ...ratios]];
  for (const [name, call] of Object.entries(calls).filter(([each]) => each.includes(values.only))) {
    const answers = new Set<string>();
    for (const side of sides) {
      side.begin?.();
      const { gasUsed, output } = await side.run(call);
      answers.add(`${gasUsed} ${output}`);
    }
    if (answers.size > 1)
      throw new Error(`The EVMs returned different results for ${name}: ${[...answers].join(", ")}`);
    const figures: number[][] = sides.map(() => []);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [index, side] of sides.entries()) {
        side.begin?.();
        figures[index]!.push(await measure(side, name));
      }
    }
    const [ours = 0, ...others] = figures.map(median);
    const unit = name in programs ? "MGas/s" : "calls/s";
    const shown = [ours, ...others, ...others.map((other) => ours / other)];
    rows.push([`${name}, ${unit}`, ...shown.map(toText)]);
    process.stdout.write(`${rows.at(-1)!.join("  ")}\n`);
  }
  const text = `\`npm run bench:evm\`, ${describeRun()}. Medians of ${values.rounds} rounds of ${values.ms} ms in which the
sides take turns; figures are per second of CPU time. Every call uses the same gas and returns the same output on all sides.
Our engine compiles code that runs often; the second column is our interpreter alone. Every EIP-3009 call has the same
signature, and our node caches its signer.

${toMarkdown(rows)}`;
  if (!values.dry && !values.own && values.only === "") writeSection("EVM", text);
});
