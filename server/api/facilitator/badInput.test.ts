/**
 * Tests invalid requests to a paid resource of a running node: each gets a specific error and never a 500, no content
 * is served and no money moves.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, erc20Abi, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { signPayment } from "@/lib/x402/signPayment";
import type { PaymentPayload, PaymentRequired } from "@/lib/x402/types";
import { parsePaymentRequired } from "@/lib/x402/wire";
import { getDevAccount } from "@/server/config/devAccounts";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";

const folder = mkdtempSync(join(tmpdir(), "tollscan-bad-"));
const payer = privateKeyToAccount(getDevAccount(0).privateKey);
let node: ServerProcess;
let paymentRequired: PaymentRequired;
let uptoPaymentRequired: PaymentRequired;
let good: PaymentPayload;
let goodUpto: PaymentPayload;

const digest = () => `${node.origin}/api/paid/block-digest?network=testnet`;
const history = () => `${node.origin}/api/paid/block-history?network=testnet`;

async function askPaymentRequired(url: string): Promise<PaymentRequired> {
  const header = (await fetch(url)).headers.get("PAYMENT-REQUIRED") ?? "";
  return parsePaymentRequired(decodeHeader(header));
}

beforeAll(async () => {
  node = await startServer({ TOLLSCAN_DATA: folder });
  [paymentRequired, uptoPaymentRequired] = await Promise.all([
    askPaymentRequired(digest()),
    askPaymentRequired(history()),
  ]);
  const sign = ({ accepts: [requirement], resource }: PaymentRequired, nowMs = Date.now()) =>
    signPayment({ signer: payer as never, requirement: requirement!, resource, nowMs });
  [good, goodUpto] = await Promise.all([sign(paymentRequired), sign(uptoPaymentRequired)]);
});
afterAll(async () => {
  await node.stop("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

const readBalances = () => {
  const client = createPublicClient({ transport: http(`${node.origin}/api/rpc/testnet`) });
  const address = paymentRequired.accepts[0]?.asset as Hex;
  return Promise.all(
    [payer.address, paymentRequired.accepts[0]?.payTo as Hex].map((owner) =>
      client.readContract({ address, abi: erc20Abi, functionName: "balanceOf", args: [owner] }),
    ),
  );
};

/** Returns a copy with the field at a dotted path changed; undefined removes the field. */
function change(payment: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(payment) as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

async function present(url: string, header: string): Promise<{ status: number; error: string | undefined }> {
  const response = await fetch(url, { headers: { "PAYMENT-SIGNATURE": header } });
  const required = response.headers.get("PAYMENT-REQUIRED");
  expect(response.headers.get("PAYMENT-RESPONSE")).toBeNull();
  return { status: response.status, error: required ? parsePaymentRequired(decodeHeader(required)).error : undefined };
}

const numbers: [string, unknown][] = [
  ["negative", "-1"],
  ["a decimal", "10000.5"],
  ["hexadecimal", "0x2710"],
  ["an exponent", "1e4"],
  ["huge", "9".repeat(90)],
  ["above 256 bits", String(2n ** 256n)],
  ["empty", ""],
  ["spaces", " 10000 "],
  ["a number", 10_000],
  ["null", null],
  ["a list", ["10000"]],
];

describe("an invalid payment is rejected and moves no money", () => {
  const at = "payload.authorization";
  const cases: [string, string, unknown, RegExp][] = [
    ...["value", "validAfter", "validBefore"].flatMap((name) =>
      numbers.map(([what, value]): [string, string, unknown, RegExp] => [
        `${name} is ${what}`,
        `${at}.${name}`,
        value,
        /^invalid_payload: payload\.authorization/,
      ]),
    ),
    ["a value of zero", `${at}.value`, "0", /^invalid_exact_evm/],
    ["a value above the price", `${at}.value`, "10001", /^invalid_exact_evm/],
    ["the maximum value", `${at}.value`, String(2n ** 256n - 1n), /^invalid_exact_evm/],
    ["expired", `${at}.validBefore`, "1", /^invalid_exact_evm/],
    ["an authorization that is not valid yet", `${at}.validAfter`, String(2n ** 255n), /^invalid_exact_evm/],
    ["another payee", `${at}.to`, payer.address, /^invalid_exact_evm/],
    ["another payer", `${at}.from`, getDevAccount(1).address, /^invalid_exact_evm/],
    ["another nonce", `${at}.nonce`, `0x${"00".repeat(32)}`, /^invalid_exact_evm/],
    ["a short nonce", `${at}.nonce`, "0x00", /^invalid_payload: payload\.authorization\.nonce/],
    ["an invalid address", `${at}.from`, "0x1", /^invalid_payload: payload\.authorization\.from/],
    ["no signature", "payload.signature", undefined, /^invalid_payload: payload\.signature/],
    ["a signature without a signer", "payload.signature", `0x${"11".repeat(65)}`, /^invalid_exact_evm_signature/],
    ["half a signature", "payload.signature", `0x${"11".repeat(32)}`, /^invalid_exact_evm_signature/],
    ["a signature with an odd number of digits", "payload.signature", "0x123", /^invalid_payload: payload\.signature/],
    ["no authorization", at, undefined, /^invalid_payload/],
    ["an array as payload", "payload", [], /^invalid_payload/],
    ["version 1", "x402Version", 1, /^invalid_x402_version/],
    ["version 2 as a string", "x402Version", "2", /^invalid_x402_version/],
    ["a cheaper requirement", "accepted.amount", "1", /^no_matching_requirements$/],
    ["a negative requirement", "accepted.amount", "-1", /^invalid_payload: accepted\.amount/],
    ["another accepted payee", "accepted.payTo", payer.address, /^no_matching_requirements$/],
    ["another network", "accepted.network", "eip155:143", /^no_matching_requirements$/],
    ["an invalid network", "accepted.network", "moon", /^invalid_payload: accepted\.network/],
    ["another scheme", "accepted.scheme", "upto", /^no_matching_requirements$/],
    ["a prototype", "accepted.scheme", "__proto__", /^no_matching_requirements$/],
    ["another resource", "resource.url", "http://elsewhere.test/", /^resource_mismatch$/],
    ["a resource that is not a URL", "resource.url", "::", /^resource_mismatch$/],
    ["Permit2 instead of EIP-3009", "payload", { permit2Authorization: {}, signature: "0x00" }, /^\w+/],
  ];

  it.each(cases)("%s", async (_, path, value, error) => {
    const before = await readBalances();
    const answer = await present(digest(), encodeHeader(change(good, path, value)));
    expect(answer).toEqual({ status: 402, error: expect.stringMatching(error) });
    expect(await readBalances()).toEqual(before);
  });

  const permit = "payload.permit2Authorization";
  const uptoCases: [string, string, unknown][] = [
    ...["nonce", "deadline", "permitted.amount", "witness.validAfter"].flatMap((name) =>
      numbers
        .slice(0, 6)
        .map(([what, value]): [string, string, unknown] => [`${name} is ${what}`, `${permit}.${name}`, value]),
    ),
    ["expired", `${permit}.deadline`, "1"],
    ["another facilitator", `${permit}.witness.facilitator`, payer.address],
    ["another payee", `${permit}.witness.to`, payer.address],
    ["another spender", `${permit}.spender`, payer.address],
    ["another token", `${permit}.permitted.token`, payer.address],
  ];
  it.each(uptoCases)("upto: %s", async (_, path, value) => {
    const answer = await present(history(), encodeHeader(change(goodUpto, path, value)));
    expect(answer).toEqual({ status: 402, error: expect.stringMatching(/^(invalid|permit2|upto)_\w+/) });
  });
});

describe("a malformed request", () => {
  const toBase64 = (text: string) => Buffer.from(text).toString("base64");
  it.each<[string, () => string, RegExp]>([
    ["base64url", () => Buffer.from("~~~???{}").toString("base64url"), /^invalid_payload: The header is not standard/],
    ["unencoded JSON", () => JSON.stringify(good), /^invalid_payload/],
    ["doubly encoded JSON", () => toBase64(encodeHeader(good)), /^invalid_payload/],
    ["truncated base64", () => encodeHeader(good).slice(0, -40), /^invalid_payload/],
    ["more characters than the limit", () => "A".repeat(12_300), /^invalid_payload: The header is 12300 characters/],
    ["half a character", () => Buffer.from([0x22, 0xc3, 0x22]).toString("base64"), /^invalid_payload/],
    ["deeply nested JSON", () => toBase64(`${"[".repeat(4_000)}${"]".repeat(4_000)}`), /^invalid_payload/],
  ])("is rejected if its header is %s", async (_, toHeader, error) => {
    expect(await present(digest(), toHeader())).toEqual({ status: 402, error: expect.stringMatching(error) });
  });

  it("gets 431 if the header exceeds the HTTP server's limit", async () => {
    const response = await fetch(digest(), { headers: { "PAYMENT-SIGNATURE": "A".repeat(40_000) } });
    expect(response.status).toBe(431);
  });

  it("gets 414 if the URL is too long", async () => {
    expect((await fetch(`${digest()}&note=${"x".repeat(3_000)}`)).status).toBe(414);
  });
});

describe("a request that a resource cannot serve is rejected before payment", () => {
  const post = (body: string) => ({ method: "POST", body });
  const call = (method: string, more: object = {}) => ({ jsonrpc: "2.0", id: 1, method, ...more });
  it.each<[string, RequestInit | undefined, number]>([
    ["block-digest?network=moon", undefined, 404],
    ["block-history?blocks=0", undefined, 400],
    ["block-history?blocks=1e1", undefined, 400],
    ["fee-forecast?blocks=17", undefined, 400],
    ["transfers?rows=501", undefined, 400],
    ["transfers?rows=-1", undefined, 400],
    ["transfers?token=0x12", undefined, 400],
    ["transfers?format=xml", undefined, 400],
    ["trace?transaction=0x12", undefined, 400],
    ["address-report?address=me", undefined, 400],
    ["rpc", undefined, 405],
    ["rpc", post(""), 400],
    ["rpc", post("{"), 400],
    ["rpc", post("[]"), 400],
    ["rpc", post("null"), 400],
    ["rpc", post(JSON.stringify(call("eth_sendRawTransaction"))), 400],
    ["rpc", post(JSON.stringify(call("constructor"))), 400],
    ["rpc", post(JSON.stringify({ jsonrpc: "2.0", method: "eth_chainId" })), 400],
    ["rpc", post(JSON.stringify(call("eth_chainId", { params: "x" }))), 400],
    ["rpc", post(JSON.stringify(Array.from({ length: 51 }, () => call("eth_chainId")))), 400],
    ["rpc", post(" ".repeat(70_000)), 413],
  ])("%s", async (path, init, status) => {
    const response = await fetch(`${node.origin}/api/paid/${path}`, init);
    expect([response.status, response.headers.get("PAYMENT-REQUIRED")]).toEqual([status, null]);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^[^\n]+\.$/) });
  });
});

it("accepts a valid payment after all invalid ones, even with unknown fields", async () => {
  const more = { ...good, hint: { deep: [1] }, payload: { ...good.payload, comment: "unknown" } };
  const [before] = await readBalances();
  const headers = { "PAYMENT-SIGNATURE": encodeHeader(more) };
  expect((await fetch(digest(), { headers })).status).toBe(200);
  expect((await fetch(digest(), { headers })).status).toBe(402);
  const [after] = await readBalances();
  expect((before ?? 0n) - (after ?? 0n)).toBe(10_000n);
});
