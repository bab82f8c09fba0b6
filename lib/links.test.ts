/** Tests how search text is interpreted, and the explorer's paths. */
import { expect, test } from "vitest";
import {
  findBlockSegment,
  findIdentifier,
  toConsolePath,
  toOtherNetworkPath,
  toPagePath,
  toSearchPath,
} from "@/lib/links";

const hash = `0x${"ab".repeat(32)}` as const;
const address = `0x${"CD".repeat(20)}` as const;

test("recognizes identifiers by their format", () => {
  expect(findIdentifier(" 12345 ")).toEqual({ kind: "number", number: 12345 });
  expect(findIdentifier("#12,345")).toEqual({ kind: "number", number: 12345 });
  expect(findIdentifier("0x10")).toEqual({ kind: "number", number: 16 });
  expect(findIdentifier(hash.toUpperCase().replace("0X", "0x"))).toEqual({ kind: "hash", hash });
  expect(findIdentifier(hash.slice(2))).toEqual({ kind: "hash", hash });
  expect(findIdentifier(address)).toEqual({ kind: "address", address: address.toLowerCase() });
});

test("returns undefined for text that cannot be an identifier", () => {
  for (const text of ["", "zebra", "-1", "1.5", `${hash}00`, "0x", "0xzz", "9".repeat(16), "12,34"]) {
    expect(findIdentifier(text), text).toBeUndefined();
  }
});

test("accepts a block number or hash in a path, but not an address", () => {
  expect(findBlockSegment("7")).toEqual({ number: 7 });
  expect(findBlockSegment(hash)).toEqual({ hash });
  expect(findBlockSegment(address)).toBeUndefined();
});

test("keeps the section but not the identifier when the network changes", () => {
  const mainnet = { name: "mainnet", embedded: true };
  expect(toOtherNetworkPath("/testnet/blocks", mainnet)).toBe("/mainnet/blocks");
  expect(toOtherNetworkPath(`/testnet/tx/${hash}`, mainnet)).toBe("/mainnet");
  expect(toOtherNetworkPath("/testnet/charts", mainnet)).toBe("/mainnet/charts");
  expect(toOtherNetworkPath("/testnet", mainnet)).toBe("/mainnet");
});

test("keeps the playground's tab and query when the network changes, but no recorded exchange", () => {
  const mainnet = { name: "mainnet", embedded: true };
  expect(toOtherNetworkPath("/testnet/playground/url", mainnet, "url=http%3A%2F%2Fx&flow=1")).toBe(
    "/mainnet/playground/url?url=http%3A%2F%2Fx",
  );
  expect(toOtherNetworkPath("/testnet/playground/failures", mainnet, "flow=1")).toBe("/mainnet/playground/failures");
  expect(toOtherNetworkPath("/testnet/txs", mainnet, "after=1")).toBe("/mainnet/txs");
});

test("leads from the test accounts to the home page of a remote network, which has no test accounts", () => {
  expect(toOtherNetworkPath("/testnet/accounts", { name: "base", embedded: true })).toBe("/base/accounts");
  expect(toOtherNetworkPath("/testnet/accounts", { name: "base", embedded: false })).toBe("/base");
  expect(toOtherNetworkPath("/testnet/tools", { name: "base", embedded: false })).toBe("/base/tools");
});

test("escapes text in a path", () => {
  expect(toSearchPath("testnet", "a&b=c#d")).toBe("/testnet/search?q=a%26b%3Dc%23d");
  expect(toPagePath("/testnet/blocks", "0x1-0x2")).toBe("/testnet/blocks?after=0x1-0x2");
});

test("links to the console with a request filled in", () => {
  const path = toConsolePath("testnet", "eth_call", [{ to: address, data: "0x&" }, "latest"]);
  const url = new URL(path, "http://node");
  expect(url.pathname).toBe("/testnet/console");
  expect(url.searchParams.get("method")).toBe("eth_call");
  expect(JSON.parse(url.searchParams.get("params") ?? "")).toEqual([{ to: address, data: "0x&" }, "latest"]);
});
