/**
 * Tests that a flow is accepted in the form that pages record, and that hostile flows are rejected with a clear
 * message.
 */
import { describe, expect, it } from "vitest";
import { readFlow } from "./flowSchema";

const address = `0x${"12".repeat(20)}`;
const requirement = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset: address,
  payTo: address,
  maxTimeoutSeconds: 60,
};
const check = { rule: "balance", outcome: "pass", asked: { units: "1", asset: address }, given: { time: 5 } };
const steps = [
  { kind: "request", atMs: 1, method: "GET", url: "/api/paid/x?network=testnet", headers: { accept: "*/*" } },
  { kind: "response", atMs: 2, status: 402, headers: {} },
  { kind: "choice", atMs: 3, requirement, considered: [{ requirement, verdict: "chosen" }] },
  { kind: "preflight", atMs: 4, checks: [check] },
  // A version 1 payment, in the form that the failure lab sends.
  { kind: "signature", atMs: 5, header: "e30=", payload: { x402Version: 1, scheme: "exact", payload: {} } },
  { kind: "content", atMs: 6, status: 200, mimeType: "text/html", body: "<script>alert(1)</script>" },
  { kind: "stopped", atMs: 7, message: "Declined." },
];
const flow = { version: 1, network: "testnet", chain: "eip155:10143", resource: "http://localhost/x", steps };

describe("readFlow", () => {
  it("accepts a flow and keeps its text as it is", () => {
    expect(readFlow(flow)).toEqual({ flow });
  });

  it("drops fields that no step has", () => {
    const read = readFlow({ ...flow, admin: true, steps: [{ ...steps[1], facts: { key: "0x1" } }] });
    expect(read).toEqual({ flow: { ...flow, steps: [steps[1]] } });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["another version", { ...flow, version: 2 }],
    ["no steps", { ...flow, steps: [] }],
    ["too many steps", { ...flow, steps: Array.from({ length: 65 }, () => steps[1]) }],
    ["a resource that is not a URL", { ...flow, resource: "http://[" }],
    ["a step of an unknown kind", { ...flow, steps: [{ kind: "teleported", atMs: 1 }] }],
    ["a kind named like a property of every object", { ...flow, steps: [{ kind: "constructor", atMs: 1 }] }],
    ["a step that pages read from the chain", { ...flow, steps: [{ kind: "mined", atMs: 1, receipt: {} }] }],
    ["a step without a time", { ...flow, steps: [{ kind: "stopped", message: "" }] }],
    ["a time that is not a number", { ...flow, steps: [{ ...steps[1], atMs: "1" }] }],
    ["a URL that can't be parsed", { ...flow, steps: [{ ...steps[0], url: "http://[" }] }],
    ["a method with spaces", { ...flow, steps: [{ ...steps[0], method: "GET /" }] }],
    [
      "an amount that is not a number",
      { ...flow, steps: [{ ...steps[2], requirement: { ...requirement, amount: "x" } }] },
    ],
    ["an address that is not one", { ...flow, steps: [{ kind: "approval", atMs: 1, spender: "/x", transaction: "" }] }],
    ["a transaction with a path", { ...flow, steps: [{ kind: "funded", atMs: 1, transaction: "../../x" }] }],
    [
      "check units that are not a number",
      { ...flow, steps: [{ ...steps[3], checks: [{ ...check, asked: { units: "1e9", asset: "" } }] }] },
    ],
    ["a body that is too long", { ...flow, steps: [{ ...steps[5], body: "x".repeat(9_000) }] }],
    ["a body that is not text", { ...flow, steps: [{ ...steps[5], body: {} }] }],
  ])("rejects %s", (_, value) => {
    expect(readFlow(value)).toEqual({ error: expect.stringMatching(/^\S.*\.$/) });
  });
});
