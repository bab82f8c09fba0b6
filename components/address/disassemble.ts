/**
 * Disassembles bytecode into lines, one per instruction: offset, name and pushed data. Invalid opcodes are marked. They
 * are common, because compilers append data to code.
 */
import { findOpcode } from "@/lib/opcodes";

/** `code` starts with 0x. */
export function disassemble(code: string): string[] {
  const lines: string[] = [];
  const size = (code.length - 2) / 2;
  for (let at = 0; at < size; at++) {
    const offset = at.toString(16).padStart(4, "0");
    const byte = Number.parseInt(code.slice(2 + at * 2, 4 + at * 2), 16);
    const { name = `(0x${byte.toString(16).padStart(2, "0")})`, immediateBytes = 0 } = findOpcode(byte) ?? {};
    const data = immediateBytes > 0 ? ` 0x${code.slice(4 + at * 2, 4 + (at + immediateBytes) * 2)}` : "";
    lines.push(`${offset}  ${name}${data}`);
    at += immediateBytes;
  }
  return lines;
}
