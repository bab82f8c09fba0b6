/** Tests which names an address gets, and how search text finds them. */
import { expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import { findByWords, findSimilar, toLabelNames, toNameTable } from "@/lib/names";
import { listNetworkNames } from "@/lib/networkNames";

const token = { address: `0x${"Aa".repeat(20)}`, symbol: "USDC", decimals: 6, eip3009: true } as const;
const names = listNetworkNames({ tokens: [token], contracts: canonicalContracts });
const text = ({ name }: { name: string }) => name;

it("names tokens, contracts and precompiles, and a label replaces the name", () => {
  const table = toNameTable(names);
  expect(table.get(token.address.toLowerCase())).toMatchObject({ name: "USDC", kind: "token" });
  expect(table.get(canonicalContracts.permit2.toLowerCase())?.name).toBe("Permit2");
  expect(table.get(`0x${"1".padStart(40, "0")}`)?.name).toBe("ecrecover");
  const labeled = toNameTable([...names, ...toLabelNames({ [token.address.toLowerCase()]: "Our dollar" })]);
  expect(labeled.get(token.address.toLowerCase())).toMatchObject({ name: "Our dollar", kind: "label" });
});

it("finds names by all words, those that start with the text first", () => {
  const items = ["Go to locks", "A block", "Block hash history", "Home"].map((name) => ({ name }));
  expect(findByWords(items, "block", text).map(text)).toEqual(["Block hash history", "A block"]);
  expect(findByWords(items, " LOCK ", text).map(text)).toEqual(["Go to locks", "A block", "Block hash history"]);
  expect(findByWords(items, "go lock", text).map(text)).toEqual(["Go to locks"]);
  expect(findByWords(items, "  ", text)).toEqual([]);
});

it("suggests what was probably meant", () => {
  expect(findSimilar(names, "uscd", text).map(text)).toEqual(["USDC"]);
  expect(findSimilar(names, "permit 2", text).map(text)).toEqual(["Permit2"]);
  expect(findSimilar(names, "zebra", text)).toEqual([]);
  expect(findSimilar(names, "us", text)).toEqual([]);
});
