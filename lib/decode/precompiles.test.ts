/** Tests that calls to precompiles are decoded with the precompiles' names and arguments, and never by selector. */
import { expect, it } from "vitest";
import { toDecodedLine } from "@/lib/decode/decoded";
import { decodePrecompile, findPrecompileName } from "@/lib/decode/precompiles";

const at = (place: number) => `0x${place.toString(16).padStart(40, "0")}`;
const word = (value: number | string) => (typeof value === "number" ? value.toString(16) : value).padStart(64, "0");

it("reads ecrecover's hash, signature and signer", () => {
  const signer = "f39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  const input = `0x${"e0".repeat(32)}${word(27)}${"11".repeat(32)}${"22".repeat(32)}`;
  const reading = decodePrecompile({ to: at(1), input, output: `0x${word(signer)}` });
  expect(reading).toMatchObject({
    signature: "ecrecover(bytes32,uint8,bytes32,bytes32)",
    values: [{ name: "hash", value: `0x${"e0".repeat(32)}` }, { value: "27" }, {}, { name: "s" }],
    results: [{ name: "signer", value: `0x${signer}` }],
  });
});

it("gives no result for an invalid signature, and pads missing input with zeros", () => {
  const reading = decodePrecompile({ to: at(1), input: "0x", output: "0x" });
  expect(reading?.results).toBeUndefined();
  expect(reading?.values[1]).toEqual({ name: "v", type: "uint8", value: "0" });
});

it("splits modexp's input by its lengths, and counts the pairs of a pairing", () => {
  const modexp = decodePrecompile({ to: at(5), input: `0x${word(1)}${word(2)}${word(1)}03000407`, output: "0x04" });
  expect(modexp && toDecodedLine(modexp)).toBe("modexp(base: 0x03, exponent: 0x0004, modulus: 0x07)");
  expect(decodePrecompile({ to: at(8), input: `0x${"00".repeat(384)}` })?.values[0]?.value).toBe("2");
});

it("knows P-256 verification, but no other low address", () => {
  expect(findPrecompileName(at(0x100))).toBe("p256Verify");
  expect(findPrecompileName(at(0x12))).toBeUndefined();
  expect(findPrecompileName(`0x${"11".repeat(20)}`)).toBeUndefined();
});
