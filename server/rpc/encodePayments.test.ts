/** Tests how payments in wire format describe their resource. */
import { expect, it } from "vitest";
import type { PaymentRecord } from "@/server/ports/store";
import { encodePayment } from "@/server/rpc/encodePayments";

const record: PaymentRecord = {
  id: `0x${"11".repeat(32)}`,
  revision: 0,
  network: "eip155:10143",
  scheme: "exact",
  asset: `0x${"22".repeat(20)}`,
  payer: `0x${"33".repeat(20)}`,
  payee: `0x${"44".repeat(20)}`,
  amountUnits: 1n,
  nonce: `0x${"55".repeat(32)}`,
  state: "verified",
  steps: [],
  payload: "{}",
  createdAtMs: 1,
  changedAtMs: 1,
  validBefore: 1,
};

const encodeInfo = (resource: object | undefined) => {
  const { description, mimeType } = encodePayment({ ...record, payload: JSON.stringify({ resource }) });
  return { description, mimeType };
};

it("shows the description and media type that came with a payment", () => {
  const info = { description: "Weather by the hour", mimeType: "application/json; charset=utf-8" };
  expect(encodeInfo({ url: "https://example.org", ...info })).toEqual(info);
  expect(encodeInfo(undefined)).toEqual({ description: null, mimeType: null });
});

it("removes invisible characters, long text and invalid media types", () => {
  const description = `Pay\u202E\u0000 ${"x".repeat(600)}`;
  expect(encodeInfo({ url: "a", description, mimeType: "text/html\u202E" })).toEqual({
    description: `Pay ${"x".repeat(495)}…`,
    mimeType: null,
  });
  expect(encodeInfo({ url: "a", description: "\u200B\u2066" })).toEqual({ description: null, mimeType: null });
});
