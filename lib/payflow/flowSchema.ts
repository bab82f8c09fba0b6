/**
 * Validates a flow before it is recorded. A valid flow renders without errors, and its strings have limited lengths.
 * The validation doesn't check whether the exchange really happened.
 */
import { z } from "zod";
import type { Flow } from "@/lib/payflow/flow";
import { maxHeaderLength } from "@/lib/x402/header";
import { wireSchemas } from "@/lib/x402/wire";

const word = z.string().max(256);
const text = z.string().max(8_192);
const url = z
  .string()
  .max(4_096)
  .refine((given) => URL.canParse(given, "http://localhost"), "must be a URL or a path");
const header = z.string().max(maxHeaderLength);
const headers = z
  .record(word, z.string().max(16_384))
  .refine((all) => Object.keys(all).length <= 64, "must have at most 64 entries");
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "must be an address");
const transaction = z.string().regex(/^[\w-]{0,128}$/, "must be a transaction hash");
const units = z.string().regex(/^\d{1,78}$/, "must be a decimal string");
const status = z.int().min(100).max(999);
const record = z.record(z.string(), z.unknown());

const { PaymentRequired: paymentRequired, PaymentRequirements: requirement, SettleResponse: settlement } = wireSchemas;

/** Failed payments are recorded too, so this checks only the fields that pages read. */
const payload = z.object({
  x402Version: z.number(),
  scheme: word.optional(),
  network: word.optional(),
  resource: wireSchemas.ResourceInfo.optional(),
  accepted: requirement.optional(),
  payload: record,
  extensions: record.optional(),
});

const bound = z.enum(["least", "most"]).optional();
const checkValue = z.union([
  text,
  z.strictObject({ address }),
  z.strictObject({
    requirements: z.array(z.strictObject({ scheme: word, network: word, amount: units, asset: word })).max(64),
  }),
  z.strictObject({ units, asset: word, bound }),
  z.strictObject({ time: z.number(), bound }),
]);
const checks = z
  .array(z.object({ rule: word, outcome: z.enum(["pass", "fail", "unknown"]), asked: checkValue, given: checkValue }))
  .max(64);
const considered = z
  .array(
    z.object({
      requirement,
      verdict: z.enum(["chosen", "unknownWay", "otherAsset", "overLimit", "tooPoor", "notNeeded"]),
      balanceUnits: units.optional(),
      maxUnits: units.optional(),
    }),
  )
  .max(64);

const typedData = z.object({
  domain: z.object({ name: word, version: word.optional(), chainId: z.number(), verifyingContract: address }),
  types: z.record(z.string(), z.array(z.object({ name: word, type: word })).max(32)),
  primaryType: word,
  message: record,
});
const hashes = z.object({ domainSeparator: word, structHash: word, digest: word });
const request = { method: z.string().regex(/^[A-Z]{1,16}$/, "must be an HTTP method"), url, headers };

const toStep = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.object({ kind: z.literal(kind), atMs: z.number().nonnegative(), ...fields });

const step = z.discriminatedUnion("kind", [
  toStep("request", { ...request, body: text.optional() }),
  toStep("response", { status, headers }),
  toStep("paymentRequired", { header, paymentRequired }),
  toStep("choice", { requirement, considered }),
  toStep("approval", { spender: address, transaction }),
  toStep("typedData", { data: typedData, hashes: hashes.optional() }),
  toStep("signature", { payload, header }),
  toStep("paidRequest", { ...request, body: text.optional() }),
  toStep("paidResponse", { status, headers }),
  toStep("settlement", { header, settlement: settlement.extend({ transaction }) }),
  toStep("refusal", { header, paymentRequired }),
  toStep("funded", { transaction }),
  toStep("preflight", { checks }),
  toStep("verify", { checks, refusedBy: word.optional(), tookMs: z.number().nonnegative().optional() }),
  toStep("facilitatorRequest", {
    path: word,
    body: z.object({ x402Version: z.number(), paymentPayload: payload, paymentRequirements: requirement }),
  }),
  toStep("facilitatorAnswer", { path: word, status, body: record, failed: z.boolean() }),
  toStep("content", { status, mimeType: word, body: text, size: z.int().nonnegative().optional() }),
  toStep("stopped", { message: text, considered: considered.optional() }),
]);

/** The sender chooses the network and resource. They are not verified. */
const flowSchema = z.object({
  version: z.literal(1),
  network: word,
  chain: word,
  resource: url,
  lab: word.optional(),
  steps: z.array(step).min(1).max(64),
});

/** Returns the flow, or a message that says what is wrong with it. */
export function readFlow(value: unknown): { flow: Flow } | { error: string } {
  const read = flowSchema.safeParse(value);
  if (read.success) return { flow: read.data as Flow };
  const [issue] = read.error.issues;
  return { error: `${issue?.path.join(".") || "The flow"}: ${issue?.message ?? "is not valid"}.` };
}
