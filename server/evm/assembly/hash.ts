/**
 * A module that only contains Keccak, for the codecs. The host writes the input to INPUT and reads the hash from
 * SCRATCH.
 */
import { keccak, prepareKeccak } from "./keccak";
import { SCRATCH } from "./layout";

/** This address lies above all memory that hashing itself uses. The host has the same constant. */
const INPUT: usize = 0x2000;

export { prepareKeccak as prepare };

export function hash(length: u32): void {
  keccak(SCRATCH, INPUT, length);
}
