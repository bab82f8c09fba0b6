/** `tollscan/client`: pays for HTTP requests with x402. It runs in browsers and needs no other package. */

export type { PaymentSigner, TokenAccess, TokenReads } from "@/lib/x402/payer";
export {
  type PayFetchOptions,
  type PayFetchResult,
  type PayStep,
  payFetch,
  repeatPayment,
  type SentRequest,
} from "@/lib/x402/payFetch";
export { type Considered, isPayFetchError, PayFetchError, type SpendLimit } from "@/lib/x402/payFetchChoice";
export type {
  PaymentPayload,
  PaymentRequired,
  PaymentRequirements,
  SettleResponse,
} from "@/lib/x402/types";
