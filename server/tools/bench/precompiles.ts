/**
 * npm run bench:precompiles: measures the CPU time of a block full of calls to one precompile, on our EVM and on anvil.
 * The inputs are the slowest known ones per unit of gas. Flags: `--only` (selects rows by part of their name), `--own`
 * (skips anvil) and `--dry` (leaves BENCHMARKS.md unchanged).
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { numberToHex } from "viem";
import { concat, toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import { untilComplete } from "@/server/ethereum/pending";
import { toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, Hex } from "@/server/ethereum/types";
import { toVersionedHash } from "@/server/evm/kzg";
import { withEngine } from "@/server/execution/engine";
import { createOverlay } from "@/server/execution/state/overlay";
import { type AnvilProcess, startAnvilProcess } from "@/server/testing/anvilProcess";
import { describeRun, toMarkdown, writeSection } from "@/server/tools/bench/report";
import { readTreeProcessorMs } from "@/server/tools/processTree";

const { values } = parseArgs({
  options: {
    dry: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    own: { type: "boolean", default: false },
  },
});

const blockGas = 150_000_000;
/** Gas per transaction. It must stay below the maximum (EIP-7825). */
const gas = 15_000_000;
const rounds = 5;
const leastMs = 200;

const word = (value: bigint | number) => toBytes(toWord(BigInt(value)));
const repeat = (count: number, part: (index: number) => Uint8Array) =>
  concat(...Array.from({ length: count }, (_, index) => part(index + 1)));
const large = (index: number) => 2n ** 255n - 19n ** 40n * BigInt(index);
const toModexp = (base: number, exponent: number, modulus: number) => {
  const numbers = [
    new Uint8Array(base).fill(0xab),
    new Uint8Array(exponent).fill(0xff),
    new Uint8Array(modulus).fill(0xfe),
  ];
  return concat(word(base), word(exponent), word(modulus), ...numbers);
};
const toBlake2f = (rounds: number) => concat(word(rounds).subarray(28), new Uint8Array(208).fill(3), Uint8Array.of(1));
const toFields = (...elements: bigint[]) =>
  concat(...elements.map((each) => toBytes(`0x${each.toString(16).padStart(128, "0")}`)));

const secret = word(7);
function toRecover(): Uint8Array {
  const { r, s, recovery } = secp256k1.Signature.fromBytes(
    secp256k1.sign(word(1), secret, { prehash: false, format: "recovered" }),
    "recovered",
  );
  return concat(word(1), word(27 + recovery!), word(r), word(s));
}
function toP256(): Uint8Array {
  const { r, s } = p256.Signature.fromBytes(p256.sign(word(large(1)), secret, { prehash: false }));
  return concat(word(large(1)), word(r), word(s), p256.getPublicKey(secret, false).subarray(1));
}
function toBnG1(index: number): Uint8Array {
  const { x, y } = bn254.G1.Point.BASE.multiply(large(index) % bn254.fields.Fr.ORDER).toAffine();
  return concat(word(x), word(y));
}
function toBnPair(index: number): Uint8Array {
  const { x, y } = bn254.G2.Point.BASE.multiply(large(index) % bn254.fields.Fr.ORDER).toAffine();
  return concat(toBnG1(index), ...[x.c1, x.c0, y.c1, y.c0].map(word));
}
function toG1(index: number): Uint8Array {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(large(index) % bls12_381.fields.Fr.ORDER).toAffine();
  return toFields(x, y);
}
function toG2(index: number): Uint8Array {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(large(index) % bls12_381.fields.Fr.ORDER).toAffine();
  return toFields(x.c0, x.c1, y.c0, y.c1);
}
const toBlsPair = (index: number) => concat(toG1(index), toG2(index));
/**
 * A proof for the polynomial p(x) = x. Its commitment is the generator times the setup's secret, and its quotient is
 * always one.
 */
function toPointEvaluation(): Uint8Array {
  const commitment = toBytes(
    "0xad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81",
  );
  const at = word(large(1) % bls12_381.fields.Fr.ORDER);
  return concat(toBytes(toVersionedHash(commitment)), at, at, commitment, bls12_381.G1.Point.BASE.toBytes());
}

/** `isChanging` gives each call a different hash. Otherwise our node would return a cached signer. */
type Row = { name: string; address: number; toInput: () => Uint8Array; isChanging?: boolean };
const rows: Row[] = [
  { name: "ecrecover", address: 0x01, toInput: toRecover, isChanging: true },
  { name: "sha256, no input", address: 0x02, toInput: () => new Uint8Array(0) },
  { name: "sha256, 16 kB", address: 0x02, toInput: () => new Uint8Array(16_384) },
  { name: "ripemd160, no input", address: 0x03, toInput: () => new Uint8Array(0) },
  { name: "ripemd160, 16 kB", address: 0x03, toInput: () => new Uint8Array(16_384) },
  { name: "identity, 16 kB", address: 0x04, toInput: () => new Uint8Array(16_384) },
  { name: "modexp, 32 bytes to 3 bytes", address: 0x05, toInput: () => toModexp(32, 3, 32) },
  { name: "modexp, 32 bytes to 32 bytes", address: 0x05, toInput: () => toModexp(32, 32, 32) },
  { name: "modexp, 1,024 bytes to 32 bytes", address: 0x05, toInput: () => toModexp(1_024, 32, 1_024) },
  { name: "bn254 addition", address: 0x06, toInput: () => repeat(2, toBnG1) },
  { name: "bn254 multiplication", address: 0x07, toInput: () => concat(toBnG1(1), word(large(2))) },
  { name: "bn254 pairing, 2 pairs", address: 0x08, toInput: () => repeat(2, toBnPair) },
  { name: "bn254 pairing, 64 pairs", address: 0x08, toInput: () => repeat(64, toBnPair) },
  { name: "blake2f, 1 round", address: 0x09, toInput: () => toBlake2f(1) },
  { name: "blake2f, 100,000 rounds", address: 0x09, toInput: () => toBlake2f(100_000) },
  { name: "point evaluation", address: 0x0a, toInput: toPointEvaluation },
  { name: "bls12-381 g1 addition", address: 0x0b, toInput: () => repeat(2, toG1) },
  { name: "bls12-381 g1 msm, 1 pair", address: 0x0c, toInput: () => concat(toG1(1), word(large(2))) },
  {
    name: "bls12-381 g1 msm, 128 pairs",
    address: 0x0c,
    toInput: () => repeat(128, (i) => concat(toG1(i), word(large(i)))),
  },
  { name: "bls12-381 g2 addition", address: 0x0d, toInput: () => repeat(2, toG2) },
  { name: "bls12-381 g2 msm, 1 pair", address: 0x0e, toInput: () => concat(toG2(1), word(large(2))) },
  {
    name: "bls12-381 g2 msm, 80 pairs",
    address: 0x0e,
    toInput: () => repeat(80, (i) => concat(toG2(i), word(large(i)))),
  },
  { name: "bls12-381 pairing, 2 pairs", address: 0x0f, toInput: () => repeat(2, toBlsPair) },
  { name: "bls12-381 pairing, 48 pairs", address: 0x0f, toInput: () => repeat(48, toBlsPair) },
  { name: "bls12-381 field to g1", address: 0x10, toInput: () => toFields(large(1)) },
  { name: "bls12-381 field to g2", address: 0x11, toInput: () => toFields(large(1), large(2)) },
  { name: "p256", address: 0x100, toInput: toP256 },
];

/** Creates code that calls the precompile with the input until it runs out of gas. */
function toLoop({ address, toInput, isChanging }: Row): Hex {
  const input = toInput();
  const short = (value: number) => `61${value.toString(16).padStart(4, "0")}`;
  const change = isChanging ? "5a5f52" : "";
  const call = `5b${change}5f5f${short(input.length)}5f${short(address)}5afa50`;
  const codeBytes = 9 + call.length / 2 + 3;
  const start = `${short(input.length)}${short(codeBytes)}5f39`.padEnd(18, "5b");
  return `0x${start}${call}600956${toHex(input).slice(2)}`;
}

const from: Address = `0x${"aa".repeat(20)}`;
const to: Address = `0x${"c0".repeat(20)}`;

/**
 * Measures the CPU time in seconds for a block that spends all its gas on the calls. Returns the minimum over all
 * rounds, because other programs can only add time.
 */
async function measure(run: () => Promise<unknown>, readMs: () => number): Promise<number> {
  await run();
  const figures: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startMs = readMs();
    let calls = 0;
    do {
      await run();
      calls++;
    } while (readMs() - startMs < leastMs);
    figures.push((readMs() - startMs) / 1_000 / calls);
  }
  return (Math.min(...figures) * blockGas) / gas;
}

function measureOwn(code: Hex): Promise<number> {
  const overlay = createOverlay(undefined);
  overlay.putAccount(to, { balance: 0n, nonce: 1n, codeHash: overlay.addCode(toBytes(code)) });
  const env = {
    number: 1,
    timestamp: 1_000,
    coinbase: from,
    gasLimit: BigInt(blockGas),
    difficulty: 0n,
    prevRandao: toWord(0n),
    parentHash: toWord(0n),
    baseFeePerGas: 0n,
    excessBlobGas: 0n,
  };
  return withEngine({ spec: toEmbeddedSpec(31_337), env, overlay, reads: undefined }, (engine) => {
    const message = { caller: from, to, isCreate: false, value: 0n, gas: BigInt(gas), input: "0x" as const };
    const readMs = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
    const run = () => engine.run({ ...message, gasPrice: 0n, isFree: true, warm: [from, to] });
    return measure(() => untilComplete(run), readMs);
  });
}

async function measureAnvil(anvil: AnvilProcess, code: Hex): Promise<number> {
  await anvil.place(to, { balance: 0n, code });
  const readMs = () => readTreeProcessorMs(anvil.pid) ?? Number.NaN;
  return measure(() => anvil.ask("eth_call", [{ from, to, gas: numberToHex(gas) }, "latest"]), readMs);
}

const anvil = values.own ? undefined : await startAnvilProcess(["--port", "0", "--hardfork", "osaka"]);
const toText = (seconds: number) => seconds.toFixed(2);
const table = [["Seconds of CPU time per block", "ours", ...(anvil ? ["anvil", "ratio"] : [])]];
for (const row of rows.filter(({ name }) => name.includes(values.only))) {
  const code = toLoop(row);
  const own = await measureOwn(code);
  const theirs = anvil && (await measureAnvil(anvil, code));
  table.push([row.name, toText(own), ...(theirs === undefined ? [] : [toText(theirs), toText(own / theirs)])]);
  process.stdout.write(`${table.at(-1)!.join("  ")}\n`);
}
await anvil?.stop();
const slow = table.slice(1).filter(([, own]) => Number(own) >= 5);
const text = `\`npm run bench:precompiles\`, ${describeRun()}, at a load of ${loadavg()[0]!.toFixed(0)}. Figures
are the CPU time for a block with 150 million gas whose transactions all call the same precompile with the same valid
input, scaled up from 15 million gas in one thread. Each figure is the lowest of ${rounds} rounds.
A ratio above 1 means that we are slower than anvil.

Every network here charges Ethereum's prices, and 150 million is the default gas limit of its blocks. All figures should
be below 5. These are not:
${slow.map(([name]) => name).join("; ")}.
The libraries' arithmetic alone takes too long: in mcl, Miller loops and the final exponentiation of a BLS12-381 pairing
take about 3 ms, and libsecp256k1 recovers a signer in 110 µs. With Ethereum's gas limit of 60 million, every figure is
0.4 times as high. A node stops a block after 4.5 s (\`TOLLSCAN_LIMIT_BUILD_TIME_MS\`) and puts the remaining transactions
into the next one.

${toMarkdown(table)}`;
if (!values.dry && !values.own && values.only === "") writeSection("Precompiles", text);
