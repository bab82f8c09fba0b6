/**
 * The functions behind Solidity's `console.log`. They take up to four values of the types uint256, string, bool and
 * address, or a single value of another type, or a string and a signed integer. Older libraries hash the type names
 * `uint` and `int` without expanding them, so their functions have different selectors.
 */
import type { AbiFunction } from "viem";
import type { Interface } from "@/lib/decode/decoder";

const types = ["uint256", "string", "bool", "address"];

function listCombinations(length: number): string[][] {
  if (length === 0) return [[]];
  return listCombinations(length - 1).flatMap((before) => types.map((type) => [...before, type]));
}

const combinations = [0, 1, 2, 3, 4].flatMap(listCombinations);
const signatures = [
  ...combinations,
  ...combinations.filter((inputs) => inputs.includes("uint256")).map((inputs) => inputs.map(toOldType)),
  ...["int256", "int"].flatMap((type) => [[type], ["string", type]]),
  ...["bytes", ...Array.from({ length: 32 }, (_, index) => `bytes${index + 1}`)].map((type) => [type]),
];

function toOldType(type: string): string {
  return type === "uint256" ? "uint" : type;
}

export const consoleInterface: Interface = {
  name: "console.log",
  abi: signatures.map(
    (inputs): AbiFunction => ({
      type: "function",
      name: "log",
      inputs: inputs.map((type) => ({ type, name: "" })),
      outputs: [],
      stateMutability: "view",
    }),
  ),
};
