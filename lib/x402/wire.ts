/**
 * Validates everything x402 puts on the wire. Values that pass have the shape of types.ts and sane sizes; whether a
 * payment is good is the facilitator's decision. Unknown fields are dropped and null counts as absent.
 */

import { z } from "zod";
import type { RefundRequest } from "@/lib/x402/refund";
import { isSupportedVersion } from "@/lib/x402/rules/requestRules";
import type {
  Eip3009Payload,
  Hex,
  PaymentPayload,
  PaymentRequired,
  PaymentRequirements,
  Permit2Payload,
  SettleResponse,
  SponsoredApproval,
  SponsoredPermit,
  SupportedResponse,
  VerifyResponse,
} from "@/lib/x402/types";
import { WireError, type WireReason } from "@/lib/x402/wireError";

const maxUint256 = 2n ** 256n - 1n;

const text = (max: number) => z.string().min(1).max(max);
/** The JSON Schema of a custom check, for the OpenAPI document. */
const inWords = (pattern: string) => ({ type: "string" as const, pattern });
const hex = <Bytes extends number>(bytes: Bytes) => {
  const pattern = `^0x[0-9a-fA-F]{${bytes * 2}}$`;
  return z
    .custom<Hex>(
      (value) => typeof value === "string" && new RegExp(pattern).test(value),
      `must be 0x and ${bytes * 2} hexadecimal digits`,
    )
    .meta(inWords(pattern));
};
const addressSchema = hex(20);
const signatureSchema = z
  .custom<Hex>(
    (value) => typeof value === "string" && /^0x([0-9a-fA-F]{2}){1,4096}$/.test(value),
    "must be 0x and whole bytes in hexadecimal, at most 4096 of them",
  )
  .meta(inWords("^0x([0-9a-fA-F]{2}){1,4096}$"));
const uintSchema = z
  .string("must be a decimal number in a string")
  .regex(/^\d{1,78}$/, "must be a non-negative decimal number in a string")
  .refine((value) => !/^\d{1,78}$/.test(value) || BigInt(value) <= maxUint256, "must fit in 256 bits");

/** The field may be absent or null. */
const nullish = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => value ?? undefined, schema.optional()).optional();
const record = z.record(z.string(), z.unknown());

/** Payments of a later version are read by version 2's rules and answered in version 2. */
const versionSchema = z
  .int()
  .min(2)
  .transform(() => 2 as const)
  .meta({ type: "integer", minimum: 2 });

const requirementsSchema = z.object({
  scheme: text(64),
  network: text(128).regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,64}$/, "must be a CAIP-2 id such as eip155:10143"),
  amount: uintSchema,
  asset: text(128),
  payTo: text(128),
  maxTimeoutSeconds: z.int().positive(),
  extra: nullish(record),
});

const resourceSchema = z.object({
  url: text(4096),
  description: nullish(z.string().max(4096)),
  mimeType: nullish(z.string().max(256)),
  serviceName: nullish(z.string().max(64)),
  tags: nullish(z.array(z.string().max(64)).max(16)),
  iconUrl: nullish(z.string().max(4096)),
});

const paymentRequiredSchema = z.object({
  x402Version: z.literal(2),
  error: nullish(z.string()),
  resource: resourceSchema,
  accepts: z.array(requirementsSchema).min(1).max(64),
  extensions: nullish(record),
});

const paymentPayloadSchema = z.object({
  x402Version: versionSchema,
  resource: nullish(resourceSchema),
  accepted: requirementsSchema,
  payload: record,
  extensions: nullish(record),
});

const refundRequestSchema = z.object({
  x402Version: versionSchema,
  payment: hex(32),
  paymentPayload: paymentPayloadSchema,
});

const eip3009PayloadSchema = z.object({
  signature: signatureSchema,
  authorization: z.object({
    from: addressSchema,
    to: addressSchema,
    value: uintSchema,
    validAfter: uintSchema,
    validBefore: uintSchema,
    nonce: hex(32),
  }),
});

const permit2PayloadSchema = z.object({
  signature: signatureSchema,
  permit2Authorization: z.object({
    permitted: z.object({ token: addressSchema, amount: uintSchema }),
    from: addressSchema,
    spender: addressSchema,
    nonce: uintSchema,
    deadline: uintSchema,
    witness: z.object({ to: addressSchema, validAfter: uintSchema, facilitator: nullish(addressSchema) }),
  }),
});

const sponsoredPermitSchema = z.object({
  from: addressSchema,
  asset: addressSchema,
  spender: addressSchema,
  amount: uintSchema,
  nonce: uintSchema,
  deadline: uintSchema,
  signature: hex(65),
  version: text(16),
});

const sponsoredApprovalSchema = z.object({
  from: addressSchema,
  asset: addressSchema,
  spender: addressSchema,
  amount: uintSchema,
  // An approval takes less than 200 bytes; an access list may add to that.
  signedTransaction: z.custom<Hex>(
    (value) => typeof value === "string" && /^0x([0-9a-fA-F]{2}){1,1024}$/.test(value),
    "must be 0x and whole bytes in hexadecimal, at most 1024 of them",
  ),
  version: text(16),
});

const evmRequirementsSchema = z.object({ asset: addressSchema, payTo: addressSchema });

const verifyResponseSchema = z.object({
  isValid: z.boolean(),
  invalidReason: nullish(z.string()),
  invalidMessage: nullish(z.string()),
  payer: nullish(z.string()),
  extra: nullish(record),
});

const settleResponseSchema = z.object({
  success: z.boolean(),
  errorReason: nullish(z.string()),
  errorMessage: nullish(z.string()),
  payer: nullish(z.string()),
  transaction: z.string(),
  network: z.string(),
  amount: nullish(z.string()),
  extensions: nullish(record),
  extra: nullish(record),
});

const supportedResponseSchema = z.object({
  kinds: z.array(
    z.object({
      x402Version: z.literal(2),
      scheme: z.string(),
      network: z.string(),
      schemeId: z.string(),
      extra: nullish(record),
    }),
  ),
  schemes: z.array(z.string()),
  extensions: z.array(z.string()),
  signers: z.record(z.string(), z.array(z.string())),
});

/** The schemas, by their names in the OpenAPI document. */
export const wireSchemas = {
  PaymentRequirements: requirementsSchema,
  ResourceInfo: resourceSchema,
  PaymentRequired: paymentRequiredSchema,
  PaymentPayload: paymentPayloadSchema,
  Eip3009Payload: eip3009PayloadSchema,
  Permit2Payload: permit2PayloadSchema,
  RefundRequest: refundRequestSchema,
  VerifyResponse: verifyResponseSchema,
  SettleResponse: settleResponseSchema,
  SupportedResponse: supportedResponseSchema,
} as const;

/** Requirements must be version 2: nobody should sign under unknown rules. Throws WireError. */
export function parsePaymentRequired(value: unknown): PaymentRequired {
  assertVersion(value);
  return parse(paymentRequiredSchema, value, "invalid_payment_requirements", "");
}

/** Throws WireError. */
export function parsePaymentPayload(value: unknown): PaymentPayload {
  assertVersion(value);
  return parse(paymentPayloadSchema, value, "invalid_payload", "");
}

/** Asset and payee of a requirement on an EVM network. Throws WireError. */
export function parseEvmRequirements(requirements: PaymentRequirements): { asset: Hex; payTo: Hex } {
  return parse(evmRequirementsSchema, requirements, "invalid_payment_requirements", "paymentRequirements");
}

/** Throws WireError. */
export function parseEip3009Payload(value: unknown): Eip3009Payload {
  return parse(eip3009PayloadSchema, value, "invalid_payload", "payload");
}

/** Throws WireError. */
export function parsePermit2Payload(value: unknown): Permit2Payload {
  return parse(permit2PayloadSchema, value, "invalid_payload", "payload");
}

/** Throws WireError. */
export function parseSponsoredPermit(value: unknown): SponsoredPermit {
  return parse(sponsoredPermitSchema, value, "invalid_payload", "extensions.eip2612GasSponsoring.info");
}

/** Throws WireError. */
export function parseSponsoredApproval(value: unknown): SponsoredApproval {
  return parse(sponsoredApprovalSchema, value, "invalid_payload", "extensions.erc20ApprovalGasSponsoring.info");
}

/** Throws WireError. */
export function parseVerifyResponse(value: unknown): VerifyResponse {
  return parse(verifyResponseSchema, value, "invalid_payload", "");
}

/** Throws WireError. */
export function parseSettleResponse(value: unknown): SettleResponse {
  return parse(settleResponseSchema, value, "invalid_payload", "");
}

/** Throws WireError. */
export function parseSupportedResponse(value: unknown): SupportedResponse {
  return parse(supportedResponseSchema, value, "invalid_payload", "");
}

/**
 * The body of verify and settle in either envelope: {paymentPayload, paymentRequirements}, as client libraries send it,
 * or the payment payload itself, whose accepted element is then the requirement. Throws WireError.
 */
export function parseFacilitatorRequest(value: unknown): {
  payload: PaymentPayload;
  requirements: PaymentRequirements;
} {
  if (!isObject(value)) throw new WireError("invalid_payload", "The body must be a JSON object.");
  assertVersion(value);
  const wrapped = value.paymentPayload !== undefined && value.paymentPayload !== null;
  const inner = wrapped ? value.paymentPayload : value;
  if (wrapped) assertVersion(inner);
  const payload = parse(paymentPayloadSchema, inner, "invalid_payload", wrapped ? "paymentPayload" : "");
  const given = value.paymentRequirements ?? undefined;
  if (given === undefined) return { payload, requirements: payload.accepted };
  return {
    payload,
    requirements: parse(requirementsSchema, given, "invalid_payment_requirements", "paymentRequirements"),
  };
}

/** The body of a refund. Throws WireError. */
export function parseRefundRequest(value: unknown): RefundRequest {
  assertVersion(value);
  return parse(refundRequestSchema, value, "invalid_payload", "");
}

function assertVersion(value: unknown): void {
  if (!isObject(value)) throw new WireError("invalid_payload", "The message must be a JSON object.");
  const { x402Version } = value;
  if (!isSupportedVersion(x402Version)) {
    throw new WireError("invalid_x402_version", `x402Version must be 2 or above, not ${toWords(x402Version)}.`);
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, reason: WireReason, root: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = [root, ...(issue?.path ?? [])].filter((part) => part !== "").join(".");
  throw new WireError(reason, `${path || "The message"}: ${issue?.message ?? "is not valid"}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toWords(value: unknown): string {
  if (typeof value === "number") return String(value);
  return value === undefined ? "absent" : `a ${typeof value}`;
}
