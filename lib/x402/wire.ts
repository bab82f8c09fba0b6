/**
 * Validates the format and size of everything that x402 puts on the wire. Unknown fields are dropped and null counts as
 * absent. The facilitator decides whether a payment is valid.
 */

import { z } from "zod";
import { toLowerAddress } from "@/lib/address";
import { isSupportedVersion } from "@/lib/x402/rules/requestRules";
import type {
  Eip3009Payload,
  Hex,
  PaymentPayload,
  PaymentRequired,
  PaymentRequirements,
  Permit2Payload,
  ResourceInfo,
  SettleResponse,
  SponsoredApproval,
  SponsoredPermit,
  SupportedResponse,
  VerifyResponse,
} from "@/lib/x402/types";
import { WireError, type WireReason } from "@/lib/x402/wireError";

const maxUint256 = 2n ** 256n - 1n;

const text = (max: number) => z.string().min(1).max(max);
/**
 * The JSON Schema for a custom check. The OpenAPI document needs it, because Zod can't derive a schema from such a
 * check.
 */
const inWords = (pattern: string) => ({ type: "string" as const, pattern });
const hex = <Bytes extends number>(bytes: Bytes) => {
  const pattern = `^0x[0-9a-fA-F]{${bytes * 2}}$`;
  return z
    .custom<Hex>(
      (value) => typeof value === "string" && new RegExp(pattern).test(value),
      `must be 0x followed by ${bytes * 2} hex characters`,
    )
    .meta(inWords(pattern));
};
/** Addresses are lowercased, because encoders reject an address with a wrong checksum. */
const addressSchema = hex(20).transform(toLowerAddress).meta(inWords("^0x[0-9a-fA-F]{40}$"));
const signatureSchema = z
  .custom<Hex>(
    (value) => typeof value === "string" && /^0x([0-9a-fA-F]{2}){1,4096}$/.test(value),
    "must be 0x followed by at most 4096 bytes in hex",
  )
  .meta(inWords("^0x([0-9a-fA-F]{2}){1,4096}$"));
const uintSchema = z
  .string("must be a decimal string")
  .regex(/^\d{1,78}$/, "must be a non-negative decimal string")
  .refine((value) => !/^\d{1,78}$/.test(value) || BigInt(value) <= maxUint256, "must fit in 256 bits");

/** The field may be absent or null. */
const nullish = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => value ?? undefined, schema.optional()).optional();
const record = z.record(z.string(), z.unknown());

/** Later versions are accepted and treated like version 2. Responses use version 2. */
const versionSchema = z
  .int()
  .min(2)
  .transform(() => 2 as const)
  .meta({ type: "integer", minimum: 2 });

const requirementsSchema = z.object({
  scheme: text(64),
  network: text(128).regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,64}$/, "must be a CAIP-2 ID such as eip155:10143"),
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

/** The body of POST /api/facilitator/refund. The response is the same as for `settle`. */
const refundRequestSchema = z.object({
  x402Version: versionSchema,
  /** ID of the payment, or the hash of a transaction that settled only this payment. */
  payment: hex(32),
  /**
   * The refund itself: an `exact` payment through EIP-3009 or Permit2. In its requirement, `asset` is the original
   * asset, `payTo` is the original payer, and `amount` is the amount to refund.
   */
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
  // A signed transaction that calls approve(spender, amount) on the asset. It takes less than 200 bytes, plus an access
  // list if there is one.
  signedTransaction: z.custom<Hex>(
    (value) => typeof value === "string" && /^0x([0-9a-fA-F]{2}){1,1024}$/.test(value),
    "must be 0x followed by at most 1024 bytes in hex",
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
} as const satisfies {
  PaymentRequirements: z.ZodType<PaymentRequirements>;
  ResourceInfo: z.ZodType<ResourceInfo>;
  PaymentRequired: z.ZodType<PaymentRequired>;
  PaymentPayload: z.ZodType<PaymentPayload>;
  Eip3009Payload: z.ZodType<Eip3009Payload>;
  Permit2Payload: z.ZodType<Permit2Payload>;
  RefundRequest: z.ZodType;
  VerifyResponse: z.ZodType<VerifyResponse>;
  SettleResponse: z.ZodType<SettleResponse>;
  SupportedResponse: z.ZodType<SupportedResponse>;
};

/** Parses a 402 response's content, which must be version 2 or later. Throws WireError. */
export function parsePaymentRequired(value: unknown) {
  assertVersion(value);
  return parse(paymentRequiredSchema, value, "invalid_payment_requirements", "");
}

/** Throws WireError. */
export function parsePaymentPayload(value: unknown): PaymentPayload {
  assertVersion(value);
  return parse(paymentPayloadSchema, value, "invalid_payload", "");
}

/** Creates a parser that throws WireError. `root` is prepended to the field's path in the error message. */
const toParser =
  <T>(schema: z.ZodType<T>, reason: WireReason, root = "") =>
  (value: unknown): T =>
    parse(schema, value, reason, root);

/** Parses the asset and the payee in a requirement for an EVM network. */
export const parseEvmRequirements = toParser(
  evmRequirementsSchema,
  "invalid_payment_requirements",
  "paymentRequirements",
);
export const parseEip3009Payload = toParser(eip3009PayloadSchema, "invalid_payload", "payload");
export const parsePermit2Payload = toParser(permit2PayloadSchema, "invalid_payload", "payload");
export const parseSponsoredPermit = toParser<SponsoredPermit>(
  sponsoredPermitSchema,
  "invalid_payload",
  "extensions.eip2612GasSponsoring.info",
);
export const parseSponsoredApproval = toParser<SponsoredApproval>(
  sponsoredApprovalSchema,
  "invalid_payload",
  "extensions.erc20ApprovalGasSponsoring.info",
);
export const parseVerifyResponse = toParser(verifyResponseSchema, "invalid_payload");
export const parseSettleResponse = toParser(settleResponseSchema, "invalid_payload");
export const parseSupportedResponse = toParser(supportedResponseSchema, "invalid_payload");

/**
 * Parses the body of `verify` and `settle`. The body is either `{paymentPayload, paymentRequirements}` or a payment
 * payload alone. In the second case, the payload's `accepted` field is the requirement. Throws WireError.
 */
export function parseFacilitatorRequest(value: unknown): {
  payload: PaymentPayload;
  requirements: PaymentRequirements;
} {
  if (!isObject(value)) throw new WireError("invalid_payload", "The body must be a JSON object.");
  const wrapped = value.paymentPayload !== undefined && value.paymentPayload !== null;
  // As in the reference facilitator, the wrapper's version is optional, because the payload has its own.
  const mayOmitVersion = wrapped && isObject(value.paymentRequirements);
  if (!mayOmitVersion || (value.x402Version ?? undefined) !== undefined) assertVersion(value);
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
export function parseRefundRequest(value: unknown) {
  assertVersion(value);
  return parse(refundRequestSchema, value, "invalid_payload", "");
}

function assertVersion(value: unknown): void {
  if (!isObject(value)) throw new WireError("invalid_payload", "The message must be a JSON object.");
  const { x402Version } = value;
  if (!isSupportedVersion(x402Version)) {
    throw new WireError("invalid_x402_version", `x402Version must be 2 or later, not ${toWords(x402Version)}.`);
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
