/**
 * Changes a compiled proxy so that it uses Permit2 at a non-canonical address. Only the instructions that push the
 * address change, and no instruction moves, so jumps keep their targets.
 */
import { canonicalContracts } from "@/lib/contracts";
import type { Address, Hex } from "@/server/ethereum/types";

const push1 = 0x60;
const push2 = "61";
const push20 = "73";
const push32 = 0x7f;
const jump = "56";
const jumpdest = "5b";
const swap1 = "90";
/**
 * STOP opcodes between the existing code and the routine. They are needed because the existing code may end in
 * constants that look like a 32-byte push.
 */
const gap = "00".repeat(32);

/** The compiler pushes the address without its leading zeros: one byte of opcode and fifteen bytes of address. */
const compiled = `6e${canonicalContracts.permit2
  .toLowerCase()
  .slice(2)
  .replace(/^(00)+/, "")}`;

/**
 * Returns the runtime code with another address in place of Permit2's. The code pushes only the fifteen bytes of
 * Permit2's address after its leading zeros, so a whole address doesn't fit there. Instead, each of these pushes is
 * replaced by a call to a routine that pushes the new address. The routine is appended to the code, and a call costs
 * less than 50 additional gas. Throws Error if the code does not push Permit2's address.
 */
export function movePermit2(runtime: Hex, permit2: Address): Hex {
  const code = runtime.slice(2).toLowerCase();
  const routine = code.length / 2 + gap.length / 2;
  let moved = "";
  let count = 0;
  for (let at = 0; at < code.length; ) {
    const length = toLength(Number.parseInt(code.slice(at, at + 2), 16)) * 2;
    const instruction = code.slice(at, at + length);
    if (instruction === compiled) {
      // Pushes the return address and the routine's address, jumps, and continues at a JUMPDEST. Any further JUMPDESTs
      // are padding.
      const call = `${push2}${toWord(at / 2 + 7)}${push2}${toWord(routine)}${jump}`;
      moved += call.padEnd(compiled.length, jumpdest);
      count += 1;
    } else {
      moved += instruction;
    }
    at += length;
  }
  if (count === 0) throw new Error("The code does not push Permit2's address.");
  return `0x${moved}${gap}${jumpdest}${push20}${permit2.slice(2)}${swap1}${jump}`;
}

/** The length of an instruction in bytes, including its push data. */
function toLength(opcode: number): number {
  return opcode >= push1 && opcode <= push32 ? opcode - push1 + 2 : 1;
}

/** Encodes an offset in two bytes, which is enough for any offset in a contract (EIP-170). */
function toWord(place: number): string {
  return place.toString(16).padStart(4, "0");
}
