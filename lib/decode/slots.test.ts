/** Tests that storage slots with one or two mapping keys are named only if a recomputed hash matches. */
import { encodeAbiParameters, type Hex, keccak256, pad } from "viem";
import { expect, test } from "vitest";
import { nameSlots } from "@/lib/decode/slots";

const owner = `0x${"aa".repeat(20)}` as Hex;
const spender = `0x${"bb".repeat(20)}` as Hex;
const bytes32 = [{ type: "bytes32" }, { type: "bytes32" }] as const;
const entry = (key: Hex, slot: Hex) => keccak256(encodeAbiParameters(bytes32, [pad(key), pad(slot)]));

test("labels mapping entries, nested entries, variables and well-known slots", () => {
  const balance = entry(owner, "0x03");
  const allowance = entry(spender, entry(owner, "0x04"));
  const implementation = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
  const names = nameSlots([balance, allowance, pad("0x05"), implementation], [owner, spender]);
  expect(names.get(balance)).toEqual({ kind: "entry", base: "3", keys: [pad(owner)] });
  expect(names.get(allowance)).toEqual({ kind: "entry", base: "4", keys: [pad(owner), pad(spender)] });
  expect(names.get(pad("0x05"))).toEqual({ kind: "variable", slot: 5 });
  expect(names.get(implementation)).toEqual({ kind: "known", name: "EIP-1967 implementation" });
});

test("doesn't label a slot if the transaction didn't touch its mapping key", () => {
  expect(nameSlots([entry(owner, "0x03")], [spender]).size).toBe(0);
});
