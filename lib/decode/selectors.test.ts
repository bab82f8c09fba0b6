/**
 * Tests the selector tables by comparing them with viem's hashes. Also tests the decoding of calldata, logs and revert
 * data.
 */
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { expect, test } from "vitest";
import { findTokenCall } from "@/lib/decode/calls";
import { toFailure } from "@/lib/decode/failure";
import { findTokenEvent } from "@/lib/decode/logs";
import { eventSignatures, eventTopics, findFunctionName, functionSignatures } from "@/lib/decode/selectors";
import { listSettlements, toSummary } from "@/lib/decode/summary";
import { findBytes, findText } from "@/lib/decode/words";

const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
]);
const token = `0x${"70".repeat(20)}` as const;
const payer = `0x${"11".repeat(20)}` as const;
const payee = `0x${"22".repeat(20)}` as const;
const relayer = `0x${"33".repeat(20)}` as const;
const nonce = `0x${"44".repeat(32)}` as const;

function toTransferLog(from: `0x${string}`, to: `0x${string}`, value: bigint, address: `0x${string}` = token) {
  const topics = encodeEventTopics({ abi, eventName: "Transfer", args: { from, to } }) as string[];
  return { address, topics, data: encodeAbiParameters([{ type: "uint256" }], [value]) };
}
const usedLog = {
  address: token as `0x${string}`,
  topics: encodeEventTopics({ abi, eventName: "AuthorizationUsed", args: { authorizer: payer, nonce } }) as string[],
  data: "0x",
};
const authorization = encodeFunctionData({
  abi,
  functionName: "transferWithAuthorization",
  args: [payer, payee, 10_000n, 5n, 99n, nonce, `0x${"ab".repeat(65)}`],
});

test("derives every selector from its signature", () => {
  for (const [selector, signature] of Object.entries(functionSignatures)) {
    expect(toFunctionSelector(`function ${signature}`), signature).toBe(selector);
  }
  for (const [topic, signature] of Object.entries(eventSignatures)) {
    expect(toEventSelector(`event ${signature}`), signature).toBe(topic);
  }
  expect(toEventSelector("event Settled()")).toBe(eventTopics.Settled);
  expect(toEventSelector("event SettledWithPermit()")).toBe(eventTopics.SettledWithPermit);
});

test("decodes token calls with their arguments", () => {
  expect(findTokenCall(encodeFunctionData({ abi, functionName: "transfer", args: [payee, 5n] }))).toEqual({
    kind: "transfer",
    to: payee,
    amount: 5n,
  });
  expect(findTokenCall(authorization)).toEqual({
    kind: "authorization",
    from: payer,
    to: payee,
    amount: 10_000n,
    validAfter: 5n,
    validBefore: 99n,
    nonce,
  });
});

test("returns undefined for truncated calldata and invalid addresses", () => {
  expect(findTokenCall("0xa9059cbb")).toBeUndefined();
  expect(findTokenCall(authorization.slice(0, 300))).toBeUndefined();
  expect(findTokenCall(`0xa9059cbb${"ff".repeat(64)}`)).toBeUndefined();
  expect(findTokenCall("0x")).toBeUndefined();
  expect(findFunctionName("0x12345678")).toBeUndefined();
});

test("does not read an ERC-721 transfer as an ERC-20 transfer", () => {
  const log = toTransferLog(payer, payee, 1n);
  expect(findTokenEvent(log)).toMatchObject({ kind: "transfer", amount: 1n });
  expect(findTokenEvent({ ...log, topics: [...log.topics, nonce], data: "0x" })).toBeUndefined();
});

test("finds a settlement in an authorization and an adjacent transfer, in either order", () => {
  const transfer = toTransferLog(payer, payee, 10_000n);
  const expected = [{ token, payer, payee, amount: 10_000n, nonce }];
  expect(listSettlements([usedLog, transfer])).toEqual(expected);
  expect(listSettlements([transfer, usedLog])).toEqual(expected);
});

test("doesn't report a settlement if the adjacent transfer has a different token or payer", () => {
  expect(listSettlements([usedLog, toTransferLog(payer, payee, 1n, relayer)])).toEqual([]);
  expect(listSettlements([usedLog, toTransferLog(relayer, payee, 1n)])).toEqual([]);
});

test("summarizes a mined transaction from its logs and a pending one from its calldata", () => {
  const transaction = { from: relayer, to: token, input: authorization, value: "0x0" };
  const payment = { kind: "payment", token, payer, payee, amount: 10_000n };
  const logs = [usedLog, toTransferLog(payer, payee, 10_000n)];
  expect(toSummary(transaction, { status: "0x1", contractAddress: null, logs })).toEqual(payment);
  expect(toSummary(transaction, null)).toEqual(payment);
  expect(toSummary({ ...transaction, to: payee, input: "0x", value: "0x5" }, null)).toEqual({
    kind: "transfer",
    to: payee,
    valueWei: 5n,
  });
  expect(toSummary({ ...transaction, to: null, input: "0x60" }, null)).toEqual({ kind: "create", contract: undefined });
  expect(toSummary({ ...transaction, input: "0x12345678" }, null)).toEqual({
    kind: "call",
    to: token,
    name: "0x12345678",
    valueWei: 0n,
  });
});

test("summarizes payments through Permit2 from the proxies' events", () => {
  const transaction = { from: relayer, to: relayer, input: "0x12345678", value: "0x0" };
  const settled = { address: relayer, topics: [eventTopics.Settled], data: "0x" } as const;
  const transfer = toTransferLog(payer, payee, 10_000n);
  const summarize = (logs: Parameters<typeof listSettlements>[0]) =>
    toSummary(transaction, { status: "0x1", contractAddress: null, logs });
  expect(summarize([transfer, settled])).toEqual({ kind: "payment", token, payer, payee, amount: 10_000n });
  expect(summarize([transfer, settled, usedLog, transfer])).toEqual({ kind: "payments", count: 2 });
  expect(summarize([settled])).toMatchObject({ kind: "call" });
});

test("describes a transfer call that moved nothing as a plain call", () => {
  const input = encodeFunctionData({ abi, functionName: "transfer", args: [payee, 5n] });
  const transaction = { from: payer, to: token, input, value: "0x0" };
  expect(toSummary(transaction, { status: "0x1", contractAddress: null, logs: [] })).toMatchObject({ kind: "call" });
  expect(toSummary(transaction, { status: "0x0", contractAddress: null, logs: [] })).toMatchObject({
    kind: "tokenTransfer",
    from: payer,
    to: payee,
  });
});

test("decodes the standard forms of revert data and never guesses at others", () => {
  const text = encodeAbiParameters([{ type: "string" }], ["ERC20: transfer amount exceeds balance"]);
  expect(toFailure(`0x08c379a0${text.slice(2)}`)).toEqual({
    kind: "text",
    text: "ERC20: transfer amount exceeds balance",
  });
  expect(toFailure(`0x4e487b71${"11".padStart(64, "0")}`)).toEqual({
    kind: "panic",
    code: 17,
    text: "arithmetic overflow or underflow",
  });
  const balance = encodeAbiParameters([{ type: "address" }, { type: "uint256" }, { type: "uint256" }], [payer, 1n, 2n]);
  expect(toFailure(`0xe450d38c${balance.slice(2)}`)).toEqual({
    kind: "insufficientBalance",
    account: payer,
    balance: 1n,
    needed: 2n,
  });
  expect(toFailure("0xdeadbeef")).toEqual({ kind: "custom", selector: "0xdeadbeef" });
  expect(toFailure("0x08c379a0ffff")).toEqual({ kind: "custom", selector: "0x08c379a0" });
  expect(toFailure("0x")).toEqual({ kind: "empty" });
});

test("returns undefined for offsets outside the payload and for bytes that are not text", () => {
  expect(findBytes("f".repeat(64), 0)).toBeUndefined();
  expect(findBytes(`${"20".padStart(64, "0")}${"ff".padStart(64, "0")}`, 0)).toBeUndefined();
  expect(findText(new Uint8Array([0, 1, 2]))).toBeUndefined();
  expect(findText(new Uint8Array([0xff, 0xfe]))).toBeUndefined();
});
