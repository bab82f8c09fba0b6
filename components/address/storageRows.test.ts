import { expect, it } from "vitest";
import { toStorageRows } from "@/components/address/storageRows";
import { hashWords, nameSlots, toEntry, toWord } from "@/lib/decode/slots";
import { nameByLayout, storageLayouts } from "@/lib/decode/storageLayouts";
import type { SlotKeysRow } from "@/lib/rpc/explorerAddressShapes";

const accounts = ["0x00000000000000000000000000000000000000a1", "0x00000000000000000000000000000000000000a2"];
const toBalance = (account: string) => `0x${hashWords(toWord(account), toWord("0x4"))}`;
const toSlot = (slot: string) => ({ slot, value: `0x${toWord("0x1")}` });

it("lists packed variables one by one, then a mapping's entries by key, and last what has no name", () => {
  const names = nameByLayout(storageLayouts.PlainToken, accounts, []);
  const unknown = `0x${"77".repeat(32)}`;
  const first = `0x${toWord("0x0")}`;
  const slots = [first, unknown, ...accounts.map(toBalance).reverse()].map(toSlot);
  const rows = toStorageRows(slots, names);
  expect(rows.map(({ label, keys, slot }) => [label, keys[0]?.slice(-2), slot])).toEqual([
    ["owner", undefined, first],
    ["decimals", undefined, first],
    ["balanceOf", "a1", toBalance(accounts[0]!)],
    ["balanceOf", "a2", toBalance(accounts[1]!)],
    [undefined, undefined, unknown],
  ]);
});

it("labels slots of an unknown layout by the mapping, key and place that lead to them", () => {
  const base = `0x${toWord("0x4")}`;
  const key = `0x${toWord(accounts[0]!)}`;
  const [length, first, member, variable] = ["51", "52", "53", "05"].map((byte) => `0x${byte.padStart(64, "0")}`) as [
    string,
    string,
    string,
    string,
  ];
  const entry = (slot: string, place: { isElement: boolean; offset: `0x${string}` }) =>
    [slot, toEntry({ slot, base, keys: [key], ...place } as SlotKeysRow)] as const;
  const names = new Map([
    entry(first, { isElement: true, offset: "0x0" }),
    entry(length, { isElement: false, offset: "0x0" }),
    entry(member, { isElement: false, offset: "0x1" }),
    ...nameSlots([variable], []),
  ]);
  const rows = toStorageRows([first, member, length, variable].map(toSlot), names);
  expect(rows.map(({ label, type, slot }) => [label, type, slot])).toEqual([
    ["slot 5", undefined, variable],
    ["mapping 4", undefined, length],
    ["mapping 4", "data, word 0", first],
    ["mapping 4", "word 1", member],
  ]);
});
