/**
 * Decodes the standard revert reasons, Solidity's Error(string) and Panic(uint256). Anything else is a custom error,
 * which needs the contract's ABI.
 */

const errorSelector = "08c379a0";
const panicSelector = "4e487b71";

/** Solidity documentation, "Panic via assert and Error via require". */
const panicReasons: Record<number, string> = {
  0: "generic panic",
  1: "assert(false)",
  17: "arithmetic underflow or overflow",
  18: "division or modulo by zero",
  33: "enum overflow",
  34: "invalid encoded storage byte array accessed",
  49: "out-of-bounds array access; popping on an empty array",
  50: "out-of-bounds access of an array or bytesN",
  65: "out of memory",
  81: "uninitialized function",
};

function readNumber(body: Buffer, offset: number): number | undefined {
  if (body.length < offset + 32) return undefined;
  // Offsets and lengths above 32 bits point outside any return data we could hold.
  for (let i = offset; i < offset + 28; i++) if (body[i] !== 0) return undefined;
  return body.readUInt32BE(offset + 28);
}

/** output is the revert data in hex. Returns undefined if it is not a standard reason. */
export function decodeRevertReason(output: string): string | undefined {
  const selector = output.slice(2, 10);
  const body = Buffer.from(output.slice(10), "hex");
  if (selector === panicSelector) {
    const number = readNumber(body, 0);
    return number === undefined ? undefined : (panicReasons[number] ?? `unknown panic code: 0x${number.toString(16)}`);
  }
  if (selector !== errorSelector) return undefined;
  const start = readNumber(body, 0);
  if (start === undefined) return undefined;
  const length = readNumber(body, start);
  if (length === undefined || body.length < start + 32 + length) return undefined;
  return body.subarray(start + 32, start + 32 + length).toString("utf8");
}
