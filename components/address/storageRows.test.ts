import { expect, it } from "vitest";
import { toStorageRows } from "@/components/address/storageRows";
import { hashWords, toWord } from "@/lib/decode/slots";
import { nameByLayout, storageLayouts } from "@/lib/decode/storageLayouts";

const accounts = ["0x00000000000000000000000000000000000000a1", "0x00000000000000000000000000000000000000a2"];
const toEntry = (account: string) => `0x${hashWords(toWord(account), toWord("0x4"))}`;
const toSlot = (slot: string) => ({ slot, value: `0x${toWord("0x1")}` });

it("lists packed variables one by one, then a mapping's entries by key, and last what has no name", () => {
  const names = nameByLayout(storageLayouts.PlainToken, accounts, []);
  const unknown = `0x${"77".repeat(32)}`;
  const first = `0x${toWord("0x0")}`;
  const slots = [first, unknown, ...accounts.map(toEntry).reverse()].map(toSlot);
  const rows = toStorageRows(slots, names);
  expect(rows.map(({ label, keys, slot }) => [label, keys[0]?.slice(-2), slot])).toEqual([
    ["owner", undefined, first],
    ["decimals", undefined, first],
    ["balanceOf", "a1", toEntry(accounts[0]!)],
    ["balanceOf", "a2", toEntry(accounts[1]!)],
    [undefined, undefined, unknown],
  ]);
});
