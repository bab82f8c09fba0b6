/**
 * Tests that a flow survives a round trip through a link, that signatures are included only on request, and that
 * invalid links are rejected with a clear message.
 */
import { expect, it } from "vitest";
import type { WireReceipt } from "@/lib/query/wire";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import type { PaymentPayload } from "@/lib/x402/types";
import {
  FlowLinkError,
  fromLinkText,
  readFlow,
  redacted,
  toFlowJson,
  toLinkText,
  withoutSignatures,
} from "./exportFlow";
import type { Flow, FlowStep } from "./flow";

const signature: `0x${string}` = `0x${"5e".repeat(65)}`;
const payload: PaymentPayload = {
  x402Version: 2,
  accepted: {
    scheme: "exact",
    network: "eip155:10143",
    amount: "10000",
    asset: "0x1",
    payTo: "0x2",
    maxTimeoutSeconds: 60,
  },
  payload: { signature, authorization: { nonce: "0x1" } },
  extensions: { eip2612GasSponsoring: { info: { signature } }, erc20: { info: { signedTransaction: signature } } },
};
const header = encodeHeader(payload);
const flow: Flow = {
  version: 1,
  network: "testnet",
  chain: "eip155:10143",
  resource: "http://localhost:3000/api/paid/x",
  steps: [
    { kind: "request", atMs: 1, method: "GET", url: "/api/paid/x", headers: {} },
    {
      kind: "signature",
      atMs: 2,
      payload,
      header,
      facts: { r: "0x1", s: "0x2", v: 27, isLowS: true, recovered: "0x3" },
    },
    { kind: "paidRequest", atMs: 3, method: "GET", url: "/x", headers: { "payment-signature": header } },
    { kind: "facilitatorRequest", atMs: 4, path: "verify", body: { paymentPayload: payload } },
  ],
};

/** The settlement as it is sent: its bytes and its decoded input contain the payer's signature. */
const settle: FlowStep = {
  kind: "settle",
  atMs: 5,
  transaction: "0xab",
  raw: `0x02f8${signature.slice(2)}`,
  readings: [
    {
      name: "transferWithAuthorization",
      signature: "transferWithAuthorization(bytes)",
      interfaces: [],
      values: [{ name: "signature", type: "bytes", value: signature }],
      guess: false,
    },
  ],
};
const toMined = (changes: Partial<WireReceipt> = {}, batchSize = 1): FlowStep => ({
  kind: "mined",
  atMs: 6,
  receipt: { transactionHash: "0xab", status: "0x1", ...changes } as WireReceipt,
  batchSize,
});

it("redacts every signature unless signatures are requested", () => {
  const text = toFlowJson(withoutSignatures(flow));
  expect(text).not.toContain("5e5e");
  const headers = [...text.matchAll(/"(?:header|payment-signature)": "([^"]+)"/g)].map(([, found]) => found ?? "");
  expect(headers).toHaveLength(2);
  for (const found of headers) {
    expect(JSON.stringify(decodeHeader(found))).not.toContain("5e5e");
    expect(decodeHeader(found)).toMatchObject({ accepted: payload.accepted, payload: { signature: redacted } });
  }
  expect(toFlowJson(flow)).toContain(signature);
});

it.each<[string, FlowStep[]]>([
  ["is not mined", []],
  ["reverted, which leaves the signature valid", [toMined({ status: "0x0" })]],
  ["is not the mined transaction", [toMined({ transactionHash: "0xcd" })]],
  ["also settles other payments, which may have failed", [toMined({}, 2)]],
])("redacts the signed bytes of a settlement that %s", (_, more) => {
  const taken = withoutSignatures({ ...flow, steps: [...flow.steps, settle, ...more] });
  expect(toFlowJson(taken)).not.toContain("5e5e");
  expect(taken.steps).toContainEqual(expect.objectContaining({ kind: "settle", transaction: "0xab" }));
});

it("keeps the signed bytes of a settlement that used up the signature", () => {
  const taken = withoutSignatures({ ...flow, steps: [...flow.steps, settle, toMined()] });
  expect(taken.steps).toContainEqual(settle);
});

it("survives a round trip through a link", async () => {
  const text = await toLinkText(flow);
  expect(text).toMatch(/^[\w-]+$/);
  expect(await fromLinkText(text)).toEqual(flow);
});

it.each(["", "!", "AAAA", "x".repeat(70_000)])("rejects a link that doesn't contain a flow: %.8s", async (text) => {
  await expect(fromLinkText(text)).rejects.toThrow(FlowLinkError);
});

it("rejects a link that decompresses beyond the size limit", async () => {
  const huge = { ...flow, resource: "x".repeat(2_000_000) };
  await expect(fromLinkText(await toLinkText(huge))).rejects.toThrow("too large");
});

it("reads a flow from JSON and rejects anything else", () => {
  expect(readFlow(JSON.parse(toFlowJson(flow)))).toEqual(flow);
  for (const wrong of [null, 1, {}, { ...flow, version: 2 }, { ...flow, steps: "no" }]) {
    expect(() => readFlow(wrong)).toThrow(FlowLinkError);
  }
});

it.each([
  ["is null", null],
  ["has no kind", { atMs: 1 }],
  ["has no time", { kind: "stopped", message: "Declined." }],
  ["has an unknown kind", { kind: "teleported", atMs: 1 }],
  ["is named like a property of every object", { kind: "constructor", atMs: 1 }],
  ["lacks a field", { kind: "response", atMs: 1, status: 402 }],
  ["has a field of the wrong type", { kind: "choice", atMs: 1, requirement: null, considered: [] }],
])("rejects a flow with a step that %s", (_, step) => {
  expect(() => readFlow({ ...flow, steps: [...flow.steps, step] })).toThrow(/^Step 5 .* unknown kind\.$/);
});
