/** Tests that selectors are found in a compiled dispatcher, and that bytes that only look like selectors aren't. */
import { toFunctionSelector } from "viem";
import { expect, it } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { listSelectors } from "@/server/explorer/selectors";

it("finds exactly the payment token's functions", () => {
  const owner = `0x${"11".repeat(20)}` as const;
  const token = { name: "USD Coin", symbol: "USDC", decimals: 6, version: "2", eip3009: true, owner, balances: [] };
  const wanted = tokenAbi.filter(({ type }) => type === "function").map((item) => toFunctionSelector(item as never));
  expect(listSelectors(toBytes(toTokenAccount(token).code)).sort()).toEqual([...new Set(wanted)].sort());
});

it("ignores push data, and comparisons without a jump", () => {
  // push32(… 63 deadbeef 14 60 00 57 …)
  const inData = `7f${"63deadbeef14600057".padEnd(64, "0")}`;
  expect(listSelectors(toBytes(`0x${inData}00`))).toEqual([]);
  expect(listSelectors(toBytes("0x63deadbeef1400"))).toEqual([]);
  expect(listSelectors(toBytes("0x8062adbeef14600057"))).toEqual(["0x00adbeef"]);
  expect(listSelectors(toBytes("0x"))).toEqual([]);
});
