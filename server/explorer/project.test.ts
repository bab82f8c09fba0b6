/** Tests how handmade blocks become rows of the read model. */
import { describe, expect, it } from "vitest";
import type { Address, Block, Hash, Log, Receipt, Transaction } from "@/server/ethereum/types";
import { project } from "@/server/explorer/project";

const address = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const word = (value: bigint | Address): Hash => `0x${BigInt(value).toString(16).padStart(64, "0")}`;
const transferTopic: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const [sender, recipient, token, payer, payee, created] = [1, 2, 3, 4, 5, 6].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];

const toBlock = (transactions: Partial<Transaction>[]) =>
  ({ header: { number: 7 }, transactions, ommers: [], size: 0 }) as unknown as Block;
const toReceipt = (receipt: Partial<Receipt>) => ({ logs: [], firstLogIndex: 0, ...receipt }) as Receipt;
const transfer = (from: Address, to: Address, amount: bigint): Log => ({
  address: token,
  topics: [transferTopic, word(from), word(to)],
  data: word(amount),
});

describe("project", () => {
  it("lists the sender, recipient, created contract and parties of token transfers once each", () => {
    const rows = project(
      toBlock([{ from: sender, to: recipient }, { from: sender }]),
      [
        toReceipt({ logs: [transfer(payer, payee, 9n), transfer(payee, recipient, 1n)] }),
        toReceipt({ contractAddress: created, firstLogIndex: 2 }),
      ],
      [],
    );
    const at = (index: number) =>
      rows.addressTransactions.filter((row) => row.index === index).map((row) => row.address);
    expect(at(0)).toEqual([sender, recipient, payer, payee]);
    expect(at(1)).toEqual([sender, created]);
    expect(rows.addressTransactions.every(({ blockNumber }) => blockNumber === 7)).toBe(true);
    expect(rows.tokenTransfers).toEqual([
      { blockNumber: 7, index: 0, logIndex: 0, token, from: payer, to: payee, amount: 9n },
      { blockNumber: 7, index: 0, logIndex: 1, token, from: payee, to: recipient, amount: 1n },
    ]);
  });

  it("numbers logs across the block and recognizes mints", () => {
    const rows = project(
      toBlock([
        { from: sender, to: sender },
        { from: sender, to: token },
      ]),
      [
        toReceipt({ logs: [transfer(payer, payee, 1n)] }),
        toReceipt({ logs: [transfer(address(0), payee, 2n ** 256n - 1n)], firstLogIndex: 1 }),
      ],
      [],
    );
    expect(rows.addressTransactions.filter((row) => row.index === 1).map((row) => row.address)).toEqual([
      sender,
      token,
      payee,
    ]);
    expect(rows.tokenTransfers[1]).toMatchObject({ logIndex: 1, from: address(0), amount: 2n ** 256n - 1n });
  });

  it("ignores logs that only look like transfers", () => {
    const nft: Log = { address: token, topics: [transferTopic, word(payer), word(payee), word(1n)], data: "0x" };
    const short: Log = { address: token, topics: [transferTopic, word(payer), word(payee)], data: "0x01" };
    const other: Log = { address: token, topics: [word(1n), word(payer), word(payee)], data: word(1n) };
    const rows = project(toBlock([{ from: sender, to: token }]), [toReceipt({ logs: [nft, short, other] })], []);
    expect(rows.tokenTransfers).toEqual([]);
    expect(rows.addressTransactions.map((row) => row.address)).toEqual([sender, token]);
  });

  it("assigns each address its most important direction", () => {
    const inner = (kind: "call" | "create", from: Address, to: Address) => ({ kind, from, to, value: 1n });
    const rows = project(
      toBlock([{ from: sender, to: sender }, { from: sender, to: recipient }, { from: sender }]),
      [toReceipt({}), toReceipt({ logs: [transfer(payer, payee, 1n)] }), toReceipt({ contractAddress: created })],
      [[], [inner("call", recipient, payer), inner("create", recipient, token), inner("call", token, sender)], []],
    );
    const of = (index: number) =>
      Object.fromEntries(
        rows.addressTransactions.filter((row) => row.index === index).map((row) => [row.address, row.direction]),
      );
    expect(of(0)).toEqual({ [sender]: "self" });
    expect(of(1)).toEqual({
      [sender]: "out",
      [recipient]: "in",
      [payer]: "internal",
      [token]: "created",
      [payee]: "token",
    });
    expect(of(2)).toEqual({ [sender]: "out", [created]: "created" });
    expect(rows.internalTransfers.map(({ sequence, index }) => [sequence, index])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
  });
});
