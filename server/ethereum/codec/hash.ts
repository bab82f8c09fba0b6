/**
 * Keccak-256 and constants derived from it. Hashing runs in WebAssembly because it dominates the cost of tries,
 * transactions and blocks, and JavaScript would be several times slower.
 */
import { keccakModule } from "@/server/ethereum/codec/keccakArtifact";
import type { Hash } from "@/server/ethereum/types";

type Exports = { memory: WebAssembly.Memory; prepare(): void; hash(length: number): void };

/** Where the module reads its input and writes the hash, as offsets in its memory. Must match assembly/hash.ts. */
const inputAt = 0x2000;
const outputAt = 0xa80;
/**
 * How much memory is kept for reuse after hashing a long input. If the memory has grown beyond that, it is released.
 */
const keptBytes = 1 << 20;
const pageBytes = 1 << 16;

const compiled = new WebAssembly.Module(Buffer.from(keccakModule, "base64"));
let exports = instantiate();
let memory = Buffer.from(exports.memory.buffer);

function instantiate(): Exports {
  const made = new WebAssembly.Instance(compiled).exports as Exports;
  made.prepare();
  return made;
}

function hashInPlace(bytes: Uint8Array): void {
  const missing = inputAt + bytes.length - memory.length;
  if (missing > 0 || memory.length > keptBytes) {
    if (memory.length > keptBytes) exports = instantiate();
    const pages = Math.ceil((inputAt + bytes.length - exports.memory.buffer.byteLength) / pageBytes);
    if (pages > 0) exports.memory.grow(pages);
    memory = Buffer.from(exports.memory.buffer);
  }
  memory.set(bytes, inputAt);
  exports.hash(bytes.length);
}

export function keccak(bytes: Uint8Array): Uint8Array {
  hashInPlace(bytes);
  return new Uint8Array(memory.subarray(outputAt, outputAt + 32));
}

export function keccakHex(bytes: Uint8Array): Hash {
  hashInPlace(bytes);
  return `0x${memory.toString("hex", outputAt, outputAt + 32)}`;
}

/** The keccak hash of no bytes. This is the code hash of an account without code. */
export const emptyCodeHash: Hash = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
/** Root of an empty trie: the keccak hash of RLP's empty string. */
export const emptyTrieRoot: Hash = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
/** The keccak hash of RLP's empty list. */
export const emptyOmmersHash: Hash = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
