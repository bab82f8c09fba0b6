/** Tests token transfers for the three standards, and the balance changes that they add up to. */
import { encodeAbiParameters, type Hex, pad } from "viem";
import { expect, test } from "vitest";
import { listBalanceChanges, listMovements, noAddress } from "@/lib/decode/transfers";

const token = `0x${"cc".repeat(20)}` as Hex;
const alice = `0x${"aa".repeat(20)}` as Hex;
const bob = `0x${"bb".repeat(20)}` as Hex;
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const batch = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
const word = (value: bigint) => pad(`0x${value.toString(16)}`);

const logs = [
  { address: token, topics: [transfer, pad(alice), pad(bob)], data: word(5n), logIndex: "0x0" },
  { address: token, topics: [transfer, pad(bob), pad(alice)], data: word(2n), logIndex: "0x1" },
  { address: token, topics: [transfer, pad(noAddress), pad(bob), word(42n)], data: "0x", logIndex: "0x2" },
  {
    address: token,
    topics: [batch, pad(alice), pad(alice), pad(bob)],
    data: encodeAbiParameters(
      [{ type: "uint256[]" }, { type: "uint256[]" }],
      [
        [7n, 8n],
        [1n, 2n],
      ],
    ),
    logIndex: "0x3",
  },
  { address: token, topics: [transfer, pad(alice), pad(bob)], data: "0x01", logIndex: "0x4" },
];

test("recognizes transfers of each standard by the log's format and skips other logs", () => {
  expect(listMovements(logs).map(({ standard, id, amount }) => [standard, id, amount])).toEqual([
    ["ERC-20", undefined, 5n],
    ["ERC-20", undefined, 2n],
    ["ERC-721", 42n, 1n],
    ["ERC-1155", 7n, 1n],
    ["ERC-1155", 8n, 2n],
  ]);
});

test("returns balance changes that add up to the minted amount", () => {
  const changes = listBalanceChanges(listMovements(logs));
  const sum = changes.reduce((total, { amount }) => total + amount, 0n);
  expect(sum).toBe(1n);
  expect(changes.find(({ account, id }) => account === alice && id === undefined)?.amount).toBe(-3n);
  expect(changes.some(({ account }) => account === noAddress)).toBe(false);
});
