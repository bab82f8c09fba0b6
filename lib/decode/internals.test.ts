/** Tests that only calls that really moved native tokens count, and that a transaction's fee includes its blobs. */
import { expect, it } from "vitest";
import { listInternalTransactions, listNativeMovements, toFeeWei } from "@/lib/decode/internals";
import { listBalanceChanges, noAddress } from "@/lib/decode/transfers";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

const [alice, bob, carol] = ["aa", "bb", "cc"].map((byte) => `0x${byte.repeat(20)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];
const call = { type: "CALL", gas: "0x0", gasUsed: "0x0", input: "0x" } as const;

const root: WireCallFrame = {
  ...call,
  from: alice,
  to: bob,
  value: "0x5",
  calls: [
    { ...call, type: "DELEGATECALL", from: bob, to: carol, value: "0x5" },
    { ...call, type: "STATICCALL", from: bob, to: carol },
    { ...call, from: bob, to: carol, value: "0x2" },
    { ...call, from: bob, to: carol, value: "0x0" },
    {
      ...call,
      from: bob,
      to: carol,
      error: "execution reverted",
      calls: [{ ...call, from: carol, to: alice, value: "0x1" }],
    },
    { ...call, type: "CREATE2", from: bob, to: carol, value: "0x0" },
    { ...call, type: "SELFDESTRUCT", from: bob, to: noAddress, value: "0x3" },
  ],
};

it("lists calls with value, creations and self-destructs, and marks the reverted ones", () => {
  expect(
    listInternalTransactions(root).map(({ id, kind, valueWei, isReverted }) => [id, kind, valueWei, isReverted]),
  ).toEqual([
    ["0.2", "call", 2n, false],
    ["0.4.0", "call", 1n, true],
    ["0.5", "create2", 0n, false],
    ["0.6", "selfdestruct", 3n, false],
  ]);
});

it("adds up native tokens, including those sent to the zero address", () => {
  const changes = listBalanceChanges(listNativeMovements(root));
  expect(Object.fromEntries(changes.map(({ account, amount }) => [account, amount]))).toEqual({
    [alice]: -5n,
    [carol]: 2n,
    [noAddress]: 3n,
  });
});

it("moves nothing if the transaction failed", () => {
  expect(listNativeMovements({ ...root, error: "execution reverted" })).toEqual([]);
});

it("adds the price of blobs to the fee", () => {
  const gas = { gasUsed: "0xa", effectiveGasPrice: "0x2" };
  expect(toFeeWei(gas)).toBe(20n);
  expect(toFeeWei({ ...gas, blobGasUsed: "0x3", blobGasPrice: "0x4" })).toBe(32n);
});
