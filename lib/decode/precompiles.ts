/**
 * The precompiled contracts: their names, inputs and outputs. Their input has no selector, so no ABI decodes it.
 * Missing input bytes are read as zeros.
 */
import type { Decoded, DecodedValue } from "@/lib/decode/decoded";

/**
 * Each field is "name:type". If the value isn't 32 bytes long, its number of bytes follows the type, as in
 * "rounds:uint32:4". An asterisk instead of a number means all remaining bytes.
 */
type Fields = readonly string[];
type Precompile = { name: string; inputs: Fields; outputs: Fields; pairBytes?: number };

const point = ["x:uint256", "y:uint256"];

const precompiles: Record<number, Precompile> = {
  1: { name: "ecrecover", inputs: ["hash:bytes32", "v:uint8", "r:bytes32", "s:bytes32"], outputs: ["signer:address"] },
  2: { name: "sha256", inputs: ["data:bytes:*"], outputs: ["hash:bytes32"] },
  3: { name: "ripemd160", inputs: ["data:bytes:*"], outputs: ["hash:bytes32"] },
  4: { name: "identity", inputs: ["data:bytes:*"], outputs: ["data:bytes:*"] },
  5: { name: "modexp", inputs: [], outputs: ["result:bytes:*"] },
  6: { name: "ecAdd", inputs: ["x1:uint256", "y1:uint256", "x2:uint256", "y2:uint256"], outputs: point },
  7: { name: "ecMul", inputs: [...point, "scalar:uint256"], outputs: point },
  8: { name: "ecPairing", inputs: [], outputs: ["success:bool"], pairBytes: 192 },
  9: {
    name: "blake2f",
    inputs: ["rounds:uint32:4", "h:bytes:64", "m:bytes:128", "t:bytes16:16", "final:bool:1"],
    outputs: ["h:bytes:64"],
  },
  10: {
    name: "pointEvaluation",
    inputs: ["versionedHash:bytes32", "z:bytes32", "y:bytes32", "commitment:bytes:48", "proof:bytes:48"],
    outputs: ["fieldElements:uint256", "modulus:uint256"],
  },
  11: { name: "bls12G1Add", inputs: ["a:bytes:128", "b:bytes:128"], outputs: ["sum:bytes:128"] },
  12: { name: "bls12G1Msm", inputs: [], outputs: ["sum:bytes:128"], pairBytes: 160 },
  13: { name: "bls12G2Add", inputs: ["a:bytes:256", "b:bytes:256"], outputs: ["sum:bytes:256"] },
  14: { name: "bls12G2Msm", inputs: [], outputs: ["sum:bytes:256"], pairBytes: 288 },
  15: { name: "bls12PairingCheck", inputs: [], outputs: ["success:bool"], pairBytes: 384 },
  16: { name: "bls12MapFpToG1", inputs: ["element:bytes:64"], outputs: ["point:bytes:128"] },
  17: { name: "bls12MapFp2ToG2", inputs: ["element:bytes:128"], outputs: ["point:bytes:256"] },
  256: {
    name: "p256Verify",
    inputs: ["hash:bytes32", "r:bytes32", "s:bytes32", "x:bytes32", "y:bytes32"],
    outputs: ["valid:bool"],
  },
};

function findPrecompile(address: string | undefined): Precompile | undefined {
  return address !== undefined && /^0x0{36}/.test(address) ? precompiles[Number(address)] : undefined;
}

export function findPrecompileName(address: string | undefined): string | undefined {
  return findPrecompile(address)?.name;
}

/** Decodes a call to a precompile. Returns undefined if the address is not a precompile. */
export function decodePrecompile(frame: {
  to?: string | undefined;
  input: string;
  output?: string | undefined;
  error?: string | undefined;
}): Decoded | undefined {
  const precompile = findPrecompile(frame.to);
  if (precompile === undefined) return undefined;
  const { name, outputs } = precompile;
  const values = toInputs(precompile, frame.input.slice(2));
  const output = frame.output?.slice(2) ?? "";
  return {
    name,
    signature: `${name}(${values.map(({ type }) => type).join(",")})`,
    interfaces: ["precompile"],
    values,
    // If a signature or proof is invalid, precompiles return no data.
    ...(frame.error === undefined && output !== "" && { results: toValues(outputs, output) }),
    guess: false,
  };
}

function toInputs({ name, inputs, pairBytes }: Precompile, digits: string): DecodedValue[] {
  if (pairBytes !== undefined) {
    return [{ name: "pairs", type: "uint256", value: String(Math.floor(digits.length / 2 / pairBytes)) }];
  }
  return name === "modexp" ? toModexpInputs(digits) : toValues(inputs, digits);
}

/** The input's format from EIP-198: three lengths, then the base, the exponent and the modulus. */
function toModexpInputs(digits: string): DecodedValue[] {
  let start = 96;
  return ["base", "exponent", "modulus"].map((name, at) => {
    const length = Number(BigInt(`0x0${digits.slice(at * 64, at * 64 + 64)}`));
    const value = `0x${digits.slice(start * 2, (start + length) * 2)}`;
    start += length;
    return { name, type: "bytes", value };
  });
}

function toValues(fields: Fields, digits: string): DecodedValue[] {
  let start = 0;
  return fields.map((field) => {
    const [name, type, size] = field.split(":") as [string, string, string?];
    if (size === "*") return { name, type, value: `0x${digits.slice(start)}` };
    const length = Number(size ?? 32) * 2;
    const word = digits.slice(start, start + length).padEnd(length, "0");
    start += length;
    return { name, type, value: toValue(type, word) };
  });
}

function toValue(type: string, word: string): string {
  if (type === "address") return `0x${word.slice(24)}`;
  if (type === "bool") return String(BigInt(`0x${word}`) !== 0n);
  return type.startsWith("uint") ? BigInt(`0x${word}`).toString() : `0x${word}`;
}
