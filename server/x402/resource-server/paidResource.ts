/**
 * The seller's description of a priced resource. It is checked when its route is created, so that the seller sees
 * mistakes before a payer does.
 */
import { z } from "zod";
import { isAddress } from "@/lib/address";
import type { Extensions, ResourceInfo } from "@/lib/x402/types";
import { wireSchemas } from "@/lib/x402/wire";
import type { Accepts } from "@/server/x402/resource-server/resolveRequirements";

export type PaidResource = Omit<ResourceInfo, "url"> & {
  methods: readonly string[];
  /** Heading of the payment page. */
  title?: string;
  /** The URL or path in the 402 response; by default, the URL that was requested. */
  resource?: string;
  /** x402 extensions that the resource declares for every request. */
  extensions?: Extensions;
  accepts: Accepts;
};

/** Thrown if a resource cannot be sold as described. The message names the invalid field. */
export class PaidResourceError extends Error {
  override name = "PaidResourceError";
  readonly code = "INVALID_PAID_RESOURCE";
}

export const addressSchema = z.custom<`0x${string}`>(isAddress, "must be an address: 0x followed by 40 hex digits");

export const describedFields = {
  methods: z.array(z.string().regex(/^[A-Z]+$/, "must be an HTTP method such as GET")).min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  iconUrl: z.string().optional(),
  resource: z
    .string()
    .refine((text) => URL.canParse(text, "http://localhost"), "must be a URL or a path")
    .optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
};

/** The schema of a payment requirement with all its fields. */
export const requirementSchema = wireSchemas.PaymentRequirements.extend({
  scheme: z.enum(["exact", "upto"]),
  asset: addressSchema,
  payTo: addressSchema,
})
  .strict()
  .refine(({ scheme, amount }) => scheme !== "exact" || BigInt(amount) > 0n, {
    path: ["amount"],
    message: "must be at least 1 with the exact scheme",
  });

const resourceSchema = z.strictObject({ ...describedFields, accepts: z.unknown() });

/** Throws PaidResourceError. */
export function assertPaidResource(resource: PaidResource): void {
  assertShape(resourceSchema, resource);
  assertWays(resource.accepts, () => requirementSchema);
}

/**
 * Checks each way to pay, unless `accepts` is a function that computes them for each request. Throws PaidResourceError.
 */
export function assertWays(accepts: unknown, toSchema: (way: object) => z.ZodType): void {
  if (typeof accepts === "function") return;
  const ways: unknown[] = Array.isArray(accepts) ? accepts : [accepts];
  if (ways.length === 0) throw new PaidResourceError("accepts: list at least one way to pay.");
  for (const way of ways) assertShape(toSchema(Object(way)), way, "accepts");
}

/** Throws a PaidResourceError that names the first unknown or wrong field. */
export function assertShape(schema: z.ZodType, value: unknown, root?: string): void {
  const issue = schema.safeParse(value).error?.issues[0];
  if (!issue) return;
  const path = [...(root ? [root] : []), ...issue.path].join(".");
  throw new PaidResourceError(`${path ? `${path}: ` : ""}${issue.message}.`);
}
