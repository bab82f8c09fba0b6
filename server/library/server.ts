/** `tollscan/server`: sells HTTP resources with x402 through any facilitator. It needs no other package. */
export type {
  Extensions,
  PaymentPayload,
  PaymentRequired,
  PaymentRequirements,
  SettleResponse,
} from "@/lib/x402/types";
export type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
export { type FacilitatorClient, FacilitatorClientError } from "@/server/x402/resource-server/facilitatorClient";
export { createHttpFacilitatorClient } from "@/server/x402/resource-server/httpFacilitatorClient";
export type { PaidResource } from "@/server/x402/resource-server/paidResource";
export { createPaywall, type Paywall, type PaywallOptions } from "@/server/x402/resource-server/paywall";
export type { HandledPayment, PaidHandler } from "@/server/x402/resource-server/purchase";
