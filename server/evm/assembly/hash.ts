/**
 * A module of keccak alone, for the codecs. The host puts the bytes at INPUT and finds the hash at OUTPUT.
 */
import { keccak, prepareKeccak } from "./keccak";
import { SCRATCH } from "./layout";

/** Above everything that hashing itself uses; the host names the same places. */
const INPUT: usize = 0x2000;

export { prepareKeccak as prepare };

export function hash(length: u32): void {
  keccak(SCRATCH, INPUT, length);
}
