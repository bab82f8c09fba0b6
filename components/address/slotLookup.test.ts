/** Tests that a key or a mapping finds the slots of its entries, and a number the slot with this number. */
import { encodeAbiParameters, type Hex, keccak256, pad } from "viem";
import { describe, expect, it } from "vitest";
import { isLookup, listLookupSlots, listMappingSlots, listMappings } from "@/components/address/slotLookup";
import type { StorageKeys } from "@/components/address/useStorageNames";

const owner = `0x${"aa".repeat(20)}` as Hex;
const spender = `0x${"bb".repeat(20)}` as Hex;
const bytes32 = [{ type: "bytes32" }, { type: "bytes32" }] as const;
const hash = (first: Hex, second: Hex) => keccak256(encodeAbiParameters(bytes32, [pad(first), pad(second)]));

describe("listLookupSlots", () => {
  it("lists the entries of a known layout by the variable's name", () => {
    const names = listLookupSlots(owner, { layout: "Token", pairs: [[owner, spender]] });
    expect(names.get(hash(owner, "0x04"))).toMatchObject({ variable: { name: "balanceOf" }, keys: [pad(owner)] });
    expect(names.get(hash(spender, hash(owner, "0x05")))).toMatchObject({
      variable: { name: "allowance" },
      keys: [pad(owner), pad(spender)],
    });
    // The key itself, balanceOf and nonces, and the two nested mappings with the pair.
    expect(names.size).toBe(5);
  });

  it("finds an inner key, and ignores pairs without the key", () => {
    const names = listLookupSlots(spender, {
      layout: "PlainToken",
      pairs: [
        [owner, spender],
        [owner, owner],
      ],
    });
    expect(names.has(hash(spender, hash(owner, "0x05")))).toBe(true);
    expect(names.has(hash(owner, hash(owner, "0x05")))).toBe(false);
  });

  it("tries the layouts of Solidity and Vyper if the contract isn't known", () => {
    const names = listLookupSlots(owner, { layout: undefined, pairs: [[owner, spender]] });
    for (const slot of [hash(owner, "0x3f"), hash("0x3f", owner)]) {
      expect(names.get(slot)).toEqual({ kind: "entry", base: "63", keys: [pad(owner)] });
    }
    expect(names.get(hash(spender, hash(owner, "0x02")))).toMatchObject({
      base: "2",
      keys: [pad(owner), pad(spender)],
    });
    // eth_getStorageValues accepts no more.
    expect(listLookupSlots(owner, { layout: undefined, pairs: Array(100).fill([owner, spender]) }).size).toBeLessThan(
      1_024,
    );
  });

  it("lists only the entries of a mapping, if one is given", () => {
    const names = listLookupSlots(owner, { layout: "Token", pairs: [[owner, spender]] }, "balanceOf");
    expect([...names.keys()]).toEqual([hash(owner, "0x04")]);
  });

  it("includes the slot with this number", () => {
    const names = listLookupSlots("7", { layout: undefined, pairs: [] });
    expect(names.get(pad("0x07"))).toEqual({ kind: "variable", slot: 7 });
    expect(listLookupSlots("0", { layout: "Token", pairs: [] }).get(pad("0x00"))).toMatchObject({
      variables: [{ name: "owner" }, { name: "decimals" }],
    });
  });
});

describe("listMappingSlots", () => {
  const contract: StorageKeys = { layout: "Token", accounts: [owner], pairs: [[owner, spender]] };

  it("lists a mapping's entries for the known keys only", () => {
    expect([...listMappingSlots("balanceOf", contract).keys()]).toEqual([hash(owner, "0x04")]);
    expect([...listMappingSlots("allowance", contract).keys()]).toEqual([hash(spender, hash(owner, "0x05"))]);
    expect(listMappingSlots("owner", contract).size).toBe(0);
    expect(listMappingSlots("balanceOf", { ...contract, layout: undefined }).size).toBe(0);
  });

  it("knows the mappings with one or two keys", () => {
    const listNames = (layout: "Token" | "Permit2") => listMappings({ layout }).map(({ name }) => name);
    expect(listNames("Token")).toEqual(["balanceOf", "allowance", "nonces", "authorizationState"]);
    expect(listNames("Permit2")).toEqual(["nonceBitmap"]);
  });
});

it("accepts addresses, numbers and up to 32 bytes", () => {
  expect([owner, "7", "0x7", `0x${"f".repeat(64)}`].filter((text) => !isLookup(text))).toEqual([]);
  expect(["", "0x", "-1", "1.5", "owner", `0x${"f".repeat(65)}`].filter(isLookup)).toEqual([]);
});
