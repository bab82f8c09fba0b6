/**
 * Tests that a signed transaction's bytes are split into fields with positions, and that the result is undefined for
 * any other bytes.
 */
import { type Hex, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { findRawFields, findRlp } from "@/lib/decode/rlp";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const to = `0x${"22".repeat(20)}` as Hex;

test("returns fields that cover every byte of a dynamic fee transaction", async () => {
  const data = `0x${"ab".repeat(100)}` as Hex;
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId: 10143,
    nonce: 7,
    to,
    data,
    gas: 21000n,
    maxFeePerGas: parseGwei("2"),
    accessList: [{ address: to, storageKeys: [`0x${"00".repeat(32)}`] }],
  });
  const found = findRawFields(raw);
  expect(found?.type).toBe(2);
  const byName = Object.fromEntries(found!.fields.map(({ name, item }) => [name, item]));
  expect(byName.chainId?.value).toBe("279f");
  expect(byName.to?.value).toBe(to.slice(2));
  expect(byName.data?.value).toBe(data.slice(2));
  expect(raw.slice(2).slice(byName.nonce!.start, byName.nonce!.end)).toBe("07");
  for (const [index, { item }] of found!.fields.entries()) {
    if (index > 0) expect(item.start).toBe(found!.fields[index - 1]!.item.end);
  }
  expect(found!.fields.at(-1)!.item.end).toBe(raw.length - 2);
});

test("reads a legacy transaction without a type byte", async () => {
  const raw = await account.signTransaction({ type: "legacy", nonce: 0, to, gas: 21000n, gasPrice: 1n, chainId: 1 });
  expect(findRawFields(raw)).toMatchObject({ type: 0 });
  expect(findRawFields(raw)?.fields.map(({ name }) => name)).toContain("gasPrice");
});

test("returns undefined for truncated bytes and bytes that are not a transaction", () => {
  for (const raw of ["0x", "0xc0", "0x02", "0x05c0", "0xf8ff00", "0x02f8"])
    expect(findRawFields(raw), raw).toBeUndefined();
  expect(findRlp("c283")).toBeUndefined();
  expect(findRlp("0102")).toBeUndefined();
  expect(findRlp("b801ff"), "a length that is not minimal").toBeUndefined();
});
