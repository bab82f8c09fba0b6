/** Tests how a list's filter is read from the URL and from the form. */
import { expect, it } from "vitest";
import { findFormPath, readFilter, toFilterFields } from "@/components/transaction/transactionFilter";

const token = `0x${"Ab".repeat(20)}`;

it("reads a filter from the URL and ignores invalid values", () => {
  const filter = readFilter({ kind: "failed", method: "transfer", token });
  expect(filter).toEqual({ kind: "failed", method: "transfer", token: token.toLowerCase() });
  expect(toFilterFields(filter)).toEqual({ failed: true, method: "transfer", token: token.toLowerCase() });
  expect(readFilter({ kind: "toString", method: "a b", token: "0x12" })).toEqual({});
});

it("turns the form into a path, or into nothing if the method is invalid", () => {
  const form = new FormData();
  form.set("method", " 0xA9059CBB ");
  form.set("token", "");
  expect(findFormPath("/testnet/txs", "payment", form)).toBe("/testnet/txs?kind=payment&method=0xA9059CBB");
  form.set("method", "Payment");
  expect(findFormPath("/testnet/txs", undefined, form)).toBe("/testnet/txs?method=transferWithAuthorization");
  form.set("method", "0xa905");
  expect(findFormPath("/testnet/txs", undefined, form)).toBeUndefined();
});
