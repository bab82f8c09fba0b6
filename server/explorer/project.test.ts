/** Tests how handmade blocks are turned into rows of the read model. */
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
  ({
    header: { number: 7 },
    transactions: transactions.map((each) => ({ input: "0x", ...each })),
    ommers: [],
    size: 0,
  }) as unknown as Block;
const toReceipt = (receipt: Partial<Receipt>) => ({ logs: [], firstLogIndex: 0, ...receipt }) as Receipt;
const transfer = (from: Address, to: Address, amount: bigint): Log => ({
  address: token,
  topics: [transferTopic, word(from), word(to)],
  data: word(amount),
});

describe("project", () => {
  it("names what each transaction can be filtered by, and counts the block's payments and failures", () => {
    const used: Log = {
      address: token,
      topics: ["0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5", word(payer), word(9n)],
      data: "0x",
    };
    const rows = project(
      toBlock([
        { from: sender, to: token, input: "0x0102030405" },
        { from: sender, input: "0x60" },
        { from: sender, to: recipient, input: "0x" },
      ]),
      [
        toReceipt({ status: 1, logs: [used, transfer(payer, payee, 9n), used, transfer(payer, payee, 8n)] }),
        toReceipt({ status: 0, firstLogIndex: 4 }),
        toReceipt({ status: 1, firstLogIndex: 4 }),
      ],
      [],
    );
    expect(rows.transactionTerms.map(({ index, term }) => [index, term])).toEqual([
      [0, "payment"],
      [0, { method: "0x01020304" }],
      [0, { token }],
      [1, "failed"],
      [1, "creation"],
    ]);
    expect(rows.figures).toEqual({ blockNumber: 7, payments: 2, failed: 1 });
  });

  it("recognizes ERC-721 and ERC-1155 transfers, but not malformed ones", () => {
    const single = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
    const batch = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
    const toData = (...words: bigint[]) => `0x${words.map((each) => word(each).slice(2)).join("")}` as const;
    const parties = [word(sender), word(payer), word(payee)];
    const logs: Log[] = [
      { address: token, topics: [transferTopic, word(payer), word(payee), word(5n)], data: "0x" },
      { address: token, topics: [single, ...parties], data: toData(6n, 3n) },
      { address: token, topics: [batch, ...parties], data: toData(64n, 160n, 2n, 7n, 8n, 2n, 1n, 4n) },
      { address: token, topics: [batch, ...parties], data: toData(64n, 160n, 2n, 7n, 8n, 1n, 1n) },
      { address: token, topics: [batch, ...parties], data: toData(1n << 255n, 0n) },
      { address: token, topics: [batch, ...parties], data: "0x" },
    ];
    const rows = project(toBlock([{ from: sender, to: token, input: "0x" }]), [toReceipt({ logs })], []);
    expect(rows.nftTransfers.map(({ sequence, tokenId, amount }) => [sequence, tokenId, amount])).toEqual([
      [0, 5n, 1n],
      [1, 6n, 3n],
      [2, 7n, 1n],
      [3, 8n, 4n],
    ]);
    expect(rows.nftTransfers[0]).toMatchObject({ blockNumber: 7, token, from: payer, to: payee });
    expect(rows.addressTransactions.map(({ address }) => address)).toEqual([sender, token, payer, payee]);
  });

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
    const nft: Log = { address: token, topics: [transferTopic, word(payer), word(payee), word(1n)], data: word(1n) };
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
