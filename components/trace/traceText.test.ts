/** Tests that lines of a trace show names, amounts in token units, results and errors. */
import { expect, test } from "vitest";
import { listTraceRows, toOwnGas } from "@/components/trace/traceRows";
import { toLineParts, toLineText, toTraceText } from "@/components/trace/traceText";
import type { Decoded } from "@/lib/decode/decoded";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

const token = `0x${"aa".repeat(20)}` as const;
const payee = `0x${"11".repeat(20)}` as const;
const stranger = `0x${"22".repeat(20)}` as const;
const context = {
  names: new Map([
    [token, { name: "USDC" }],
    [payee, { name: "Account 1" }],
  ]),
  network: { tokens: [{ address: token, symbol: "USDC", decimals: 6, eip3009: true }] },
};
const frame: WireCallFrame = {
  type: "CALL",
  from: payee,
  to: token,
  gas: "0x186a0",
  gasUsed: "0xea60",
  input: `0xa9059cbb${"00".repeat(64)}`,
};
const [row] = listTraceRows(frame);
const uint = (name: string, value: string) => ({ name, type: "uint256", value });

function toReading(values: Decoded["values"], results: Decoded["results"] = [], name = "transfer"): Decoded {
  return { name, signature: `${name}()`, interfaces: [], values, results, guess: false };
}

test("shows names instead of addresses, and amounts in the token's units", () => {
  const reading = toReading([
    { name: "to", type: "address", value: payee },
    { name: "from", type: "address", value: stranger },
    uint("value", "1250000"),
    uint("nonce", "1250000"),
    uint("cap", (2n ** 256n - 1n).toString()),
  ]);
  expect(toLineText(row!, [reading], context)).toBe(
    "USDC.transfer(to: Account 1, from: 0x2222…2222, value: 1.25 USDC, nonce: 1250000, cap: largest uint256)",
  );
});

test("does not read a number as an amount of an unknown token", () => {
  const [other] = listTraceRows({ ...frame, to: stranger });
  expect(toLineText(other!, [toReading([uint("value", "1250000")])], context)).toContain("(value: 1,250,000)");
});

test("shows amounts in the units of the token that the arguments name", () => {
  const [other] = listTraceRows({ ...frame, to: stranger });
  const permitted = {
    name: "permitted",
    type: "(address,uint256)",
    value: [{ name: "token", type: "address", value: token }, uint("amount", "1250000")],
  };
  expect(toLineText(other!, [toReading([permitted, uint("deadline", "1795896835")])], context)).toContain(
    "(permitted: [USDC, 1.25 USDC], deadline: 1795896835)",
  );
});

test("puts strings in quotes, so that their parentheses aren't taken for the call's", () => {
  const text = { name: "witnessType", type: "string", value: "Witness witness)Witness(uint8 to)" };
  expect(toLineText(row!, [toReading([text])], context)).toContain('(witnessType: "Witness wi… to)")');
});

test("names nested calls and counts long lists", () => {
  const call = toReading([]);
  const item = { name: "data", type: "bytes", value: "0x1234", call };
  const list = (length: number) => ({ name: "calls", type: "bytes[]", value: Array.from({ length }, () => item) });
  expect(toLineText(row!, [toReading([list(2)])], context)).toContain("(calls: [transfer(…), transfer(…)])");
  expect(toLineText(row!, [toReading([list(5)])], context)).toContain("(calls: [5])");
});

test("shows a result unless it is long or only says that the call succeeded", () => {
  const resultOf = (results: Decoded["results"], name?: string) =>
    toLineParts(row!, [toReading([], results, name)], context).result;
  expect(resultOf([uint("", "9985747000")], "balanceOf")).toBe("9,985.747 USDC");
  expect(resultOf([{ name: "", type: "bool", value: "true" }])).toBeUndefined();
  expect(resultOf([{ name: "", type: "bool", value: "false" }])).toBe("false");
  expect(resultOf(Array.from({ length: 4 }, () => ({ name: "", type: "address", value: stranger })))).toBeUndefined();
});

test("copies the tree with gas, results and reasons", () => {
  const failed = { ...frame, value: "0x7", error: "execution reverted", revertReason: "not today" } as const;
  const rows = listTraceRows({ ...frame, calls: [failed] });
  const text = toTraceText(rows, () => [toReading([], [uint("", "5")], "balanceOf")], context);
  expect(text.split("\n")).toEqual([
    "[60,000] CALL USDC.balanceOf() → 0.000005 USDC",
    "  [60,000] CALL USDC.balanceOf() {value: 7} → 0.000005 USDC ✗ not today",
  ]);
});

test("gives the root the gas of its own call", () => {
  const own = toOwnGas(frame, { total: 61_000n, before: 21_000n });
  expect([Number(own.gasUsed), Number(own.gas)]).toEqual([40_000, 79_000]);
});

test("tells a transfer to an account from a call to receive(), and doesn't take a description for a function", () => {
  const toText = (changed: Partial<WireCallFrame>) =>
    toLineText(listTraceRows({ ...frame, ...changed })[0]!, [], context);
  expect(toText({ input: "0x", gasUsed: "0x5208" })).toBe("USDC, plain transfer");
  expect(toText({ input: "0x", gasUsed: "0x0" })).toBe("USDC, plain transfer");
  expect(toText({ input: "0x", gasUsed: "0x5300" })).toBe("USDC.receive()");
  expect(toText({ input: `0x${"00".repeat(32)}` })).toBe("USDC, 32 bytes of data");
  expect(toText({ input: "0x12345678" })).toBe("USDC.0x12345678");
  const log = { address: token, topics: [], data: `0x${"00".repeat(32)}`, index: "0x0", position: "0x0" } as const;
  const [, logged] = listTraceRows({ ...frame, logs: [{ ...log, topics: [] }] });
  expect(toLineText(logged!, [], context)).toBe("log USDC, anonymous event, 32 bytes of data");
});
