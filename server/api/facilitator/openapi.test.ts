/**
 * Compares the OpenAPI document with a running node: every documented path has a handler, and every response has a
 * documented status and body.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { toLlmsText } from "@/lib/llmsText";
import { methods } from "@/lib/rpc/methods";
import { decodeHeader } from "@/lib/x402/header";
import { loadConfig } from "@/server/config/config";
import { createNode, type Node } from "@/server/node/node";

type Operation = { responses: Record<string, { content?: Record<string, { schema?: object }> }> };
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};

const folder = mkdtempSync(join(tmpdir(), "tollscan-openapi-"));
const origin = "http://localhost:3000";
let node: Node;
let document: Document;

async function ask(method: string, target: string, body?: unknown) {
  const url = new URL(target, origin);
  const handler = node.findHandler(url.pathname);
  if (!handler) throw new Error(`No handler for ${url.pathname}.`);
  const {
    status,
    headers,
    body: sent,
  } = await handler({
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
    origin,
  });
  return { status, headers, json: JSON.parse(String(sent)) as Record<string, unknown> };
}

/** Turns a schema from the document into a validator. All of the document's references are internal. */
function toCheck(schema: object): z.ZodType {
  const local = (value: object) => JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/"));
  return z.fromJSONSchema({ ...local(schema), $defs: local(document.components.schemas) });
}

beforeAll(async () => {
  node = await createNode(loadConfig({ TOLLSCAN_DATA: folder, PORT: "0" }, folder));
  document = (await ask("GET", "/api/openapi.json")).json as unknown as Document;
});
afterAll(async () => {
  await node?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("lists every path of the payment API, and only paths with a handler", () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  const named = Object.keys(document.paths);
  const unanswered = named.filter((path) => !node.findHandler(path.replace("{id}", `0x${"00".repeat(32)}`)));
  expect(unanswered).toEqual([]);
  const sold = [...node.networks.keys()].flatMap((name) => node.listResources(name));
  expect(sold.length).toBeGreaterThan(0);
  const paths = [...new Set(sold.map(({ resource }) => new URL(resource, origin).pathname))];
  expect(named).toEqual(expect.arrayContaining(paths));
});

it("has no reference to a missing schema", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  const missing = references.map(([, name = ""]) => name).filter((name) => !(name in document.components.schemas));
  expect(missing).toEqual([]);
});

const id = `0x${"ab".repeat(32)}`;
const requirement = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset: "0x534b2f3a21130d7a60830c2df862319e593943a3",
  payTo: `0x${"11".repeat(20)}`,
  maxTimeoutSeconds: 60,
};
const authorization = {
  from: `0x${"22".repeat(20)}`,
  to: requirement.payTo,
  value: "10000",
  validAfter: "0",
  validBefore: "4102444800",
  nonce: id,
};
const payment = {
  x402Version: 2,
  accepted: requirement,
  payload: { signature: `0x${"33".repeat(65)}`, authorization },
};

describe("responses match the document", () => {
  it.each([
    ["get", "/api/facilitator/supported", 200, undefined],
    ["get", "/.well-known/x402", 200, undefined],
    ["get", `/api/facilitator/settlements/${id}`, 404, undefined],
    ["get", "/api/facilitator/settlements/zebra", 400, undefined],
    ["get", "/api/facilitator/discovery/resources", 200, undefined],
    ["get", "/api/facilitator/discovery/resources?limit=many", 400, undefined],
    ["get", "/api/facilitator/discovery/search?query=block", 200, undefined],
    [
      "post",
      "/api/facilitator/verify",
      200,
      { x402Version: 2, paymentPayload: payment, paymentRequirements: requirement },
    ],
    ["post", "/api/facilitator/verify", 200, payment],
    ["post", "/api/facilitator/verify", 400, { x402Version: 1 }],
    ["post", "/api/facilitator/settle", 200, payment],
    ["post", "/api/facilitator/settle", 400, {}],
    ["post", "/api/facilitator/refund", 400, { x402Version: 2 }],
    ["get", "/api/paid/block-digest", 402, undefined],
    ["get", "/api/paid/fee-forecast?blocks=zebra", 400, undefined],
  ])("%s %s returns a documented %i", async (method, target, status, body) => {
    const path = new URL(target, origin).pathname.replace(/(settlements\/).+/, "$1{id}");
    const answer = await ask(method.toUpperCase(), target, body);
    expect(answer.status).toBe(status);
    const schema = document.paths[path]?.[method]?.responses[status]?.content?.["application/json"]?.schema;
    if (!schema) throw new Error(`Status ${status} of ${path} is not documented.`);
    const read = toCheck(schema).safeParse(answer.json);
    expect(read.error?.issues ?? []).toEqual([]);
  });

  it("the 402 header contains a valid PaymentRequired", async () => {
    const { headers } = await ask("GET", "/api/paid/block-digest");
    const required = decodeHeader(headers["PAYMENT-REQUIRED"] ?? headers["payment-required"] ?? "");
    const { PaymentRequired } = document.components.schemas;
    expect(toCheck(PaymentRequired ?? {}).safeParse(required).error?.issues ?? []).toEqual([]);
  });

  it("the validators reject invalid bodies", () => {
    const { VerifyResponse, PaymentPayload } = document.components.schemas;
    expect(toCheck(VerifyResponse ?? {}).safeParse({ isValid: "yes" }).success).toBe(false);
    expect(toCheck(PaymentPayload ?? {}).safeParse({ ...payment, accepted: {} }).success).toBe(false);
    expect(toCheck(PaymentPayload ?? {}).safeParse(payment).success).toBe(true);
  });
});

describe("llms.txt", () => {
  it("lists every method and resource, and links only to paths with a handler", async () => {
    const networks = [...node.networks.values()].map(({ network, isLocal, publicChain }) => ({
      network: { ...network, isLocal, publicChain },
      resources: node.listResources(network.name),
    }));
    const text = toLlmsText(origin, networks);
    for (const name of Object.keys(methods)) expect(text).toContain(`[${name}](`);
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url = ""]) => new URL(url));
    const api = links.filter(({ pathname }) => pathname.startsWith("/api/") || pathname.startsWith("/.well-known/"));
    expect(api.length).toBeGreaterThan(10);
    expect(api.filter(({ pathname }) => !node.findHandler(pathname)).map(String)).toEqual([]);
    for (const { network } of networks) expect(text).toContain(`chain ID ${network.chainId}`);
  });
});
