/** Tests that an exported flow includes signatures only on request, and that a recorded flow never includes them. */
import { describe, expect, it } from "vitest";
import type { WireReceipt } from "@/lib/query/wire";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import type { PaymentPayload } from "@/lib/x402/types";
import { redacted, toFlowJson, toRecordedFlow, withoutSignatures } from "./exportFlow";
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

/** The settlement as it was sent. Its bytes and its decoded input contain the payer's signature. */
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

describe("a recorded flow", () => {
  it("contains no signatures, and no steps that are read from the chain", () => {
    const taken = toRecordedFlow({ ...flow, steps: [...flow.steps, settle, toMined()] });
    expect(toFlowJson(taken)).not.toContain("5e5e");
    expect(taken.steps.map(({ kind }) => kind)).toEqual(["request", "signature", "paidRequest", "facilitatorRequest"]);
  });

  it("cuts long bodies and keeps the size of the response", () => {
    const body = "é".repeat(10_000);
    const content: FlowStep = { kind: "content", atMs: 9, status: 200, mimeType: "text/plain", body };
    const request: FlowStep = { kind: "request", atMs: 1, method: "POST", url: "/x", headers: {}, body };
    const taken = toRecordedFlow({ ...flow, steps: [request, content] });
    const cut = `${"é".repeat(4_096)}…`;
    expect(taken.steps).toEqual([
      { ...request, body: cut },
      { ...content, body: cut, size: 20_000 },
    ]);
    expect(toRecordedFlow(taken).steps[1]).toMatchObject({ size: 20_000 });
  });
});
