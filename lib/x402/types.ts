/**
 * The types of the x402 version 2 wire format, inferred from the schemas in wire.ts. This file imports only types, so a
 * page can use it without loading a validator. Amounts are decimal strings in the asset's smallest unit, times are
 * decimal strings in seconds since the epoch.
 */
import type { z } from "zod";
import type { extensionSchemas, wireSchemas } from "@/lib/x402/wire";

export type Hex = `0x${string}`;
export type Extensions = Record<string, unknown>;

type Wire<Name extends keyof typeof wireSchemas> = z.infer<(typeof wireSchemas)[Name]>;

export type PaymentRequirements = Wire<"PaymentRequirements">;
export type ResourceInfo = Wire<"ResourceInfo">;
export type PaymentRequired = Wire<"PaymentRequired">;
export type PaymentPayload = Wire<"PaymentPayload">;
export type Eip3009Payload = Wire<"Eip3009Payload">;
export type Eip3009Authorization = Eip3009Payload["authorization"];
export type Permit2Payload = Wire<"Permit2Payload">;
export type Permit2Authorization = Permit2Payload["permit2Authorization"];
export type VerifyResponse = Wire<"VerifyResponse">;
export type SettleResponse = Wire<"SettleResponse">;
export type SupportedResponse = Wire<"SupportedResponse">;
export type SponsoredPermit = z.infer<(typeof extensionSchemas)["SponsoredPermit"]>;
export type SponsoredApproval = z.infer<(typeof extensionSchemas)["SponsoredApproval"]>;
