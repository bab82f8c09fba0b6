/**
 * Finds what a URL costs, or why it can't be paid and what to do about it. The price comes from the URL's response to a
 * request without a payment. No wallet is needed.
 */
import type { Network } from "@/lib/networks";
import { toCaip2 } from "@/lib/networks";
import { paymentRequiredHeader } from "@/lib/x402/header";
import { readPaymentRequired } from "@/lib/x402/payFetch";
import { chooseRequirement, isPayFetchError } from "@/lib/x402/payFetchChoice";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import { isVersion1 } from "@/lib/x402/version1";
import type { PaidCall } from "./exchange";
import { ForeignFetchError } from "./foreignFetch";
import { maxWholeTokens, toSpendLimits } from "./spendLimits";

/** Why a URL can't be paid here, in one sentence, and what to do about it. */
export type UrlFailure = { title: string; cause: string; fix: string };
export type UrlPrice =
  | { offer: PaymentRequired; requirement: PaymentRequirements }
  | { isFree: boolean; failure: UrlFailure };

/** Requests the URL without paying. */
export async function readUrlPrice(
  { url, method, body }: PaidCall,
  network: Pick<Network, "chainId" | "tokens">,
  send: typeof fetch,
): Promise<UrlPrice> {
  try {
    const response = await send(url, {
      method,
      ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
    });
    const header = response.headers.get(paymentRequiredHeader);
    if (response.status !== 402) return { isFree: response.ok, failure: toUnpricedFailure(response.status) };
    if (header === null) {
      const reason = isVersion1(await response.text()) ? "x402_version_1" : "not_x402";
      throw new ForeignFetchError({ error: "The 402 response has no PAYMENT-REQUIRED header.", reason });
    }
    const offer = readPaymentRequired(header);
    return { offer, ...(await chooseRequirement(offer.accepts, { spendLimits: toSpendLimits(network) })) };
  } catch (error) {
    const failure = findUrlFailure(error, network);
    if (!failure) throw error;
    return { isFree: false, failure };
  }
}

/** Explains a response that doesn't ask for a payment. */
export function toUnpricedFailure(status: number): UrlFailure {
  return status < 400
    ? {
        title: "No payment required",
        cause: `The URL returned HTTP ${status} without asking for a payment, so nothing was paid.`,
        fix: "Use the URL without a payment, or enter one that returns 402 Payment Required.",
      }
    : {
        title: `The URL returned HTTP ${status}`,
        cause: "It returned an error instead of a price, so nothing was paid.",
        fix: "Check the path, the method, and the JSON body.",
      };
}

const blocked = {
  title: "This URL is blocked",
  fix: "Use a public http or https URL, or one on localhost if this server runs on your machine.",
};
const silent = {
  title: "The server can’t be reached",
  fix: "Check the host name and that the server is running, then try again.",
};
const unreadable = {
  title: "The response can’t be read",
  fix: "Choose a smaller resource, or ask the seller to fix the response.",
};
const unpriced = {
  title: "The price can’t be read",
  fix: "Ask the seller to send a PAYMENT-REQUIRED header in the x402 version 2 format.",
};

/** Explanations, keyed by failure code. */
const foreignFailures: Record<string, Omit<UrlFailure, "cause">> = {
  invalid_url: blocked,
  refused_address: blocked,
  refused_port: blocked,
  refused_redirect: { title: "The redirect is blocked", fix: "Enter the URL that it redirects to." },
  unknown_host: silent,
  unreachable: silent,
  timeout: { title: "The server took too long", fix: "Try again, or test the URL with curl to see how long it takes." },
  too_large: unreadable,
  not_http: unreadable,
  busy: { title: "Too many requests", fix: "Wait a few seconds, then try again." },
  not_x402: unpriced,
  x402_version_1: {
    title: "The seller uses x402 version 1",
    fix: "Ask the seller for an x402 version 2 endpoint. This page doesn’t support version 1.",
  },
};

/** Returns undefined if the error is not about the URL or its price. */
export function findUrlFailure(error: unknown, network: Pick<Network, "chainId" | "tokens">): UrlFailure | undefined {
  if (!isPayFetchError(error)) return undefined;
  const cause = error.message;
  if (error instanceof ForeignFetchError) {
    return { ...(foreignFailures[error.failure ?? ""] ?? unreadable), cause };
  }
  switch (error.reason) {
    case "malformed_answer":
      return { ...unpriced, cause };
    case "spend_limit":
      return {
        title: "The price exceeds the limit",
        cause,
        fix: `These pages sign payments of at most ${maxWholeTokens} tokens. Pay larger amounts from your own code.`,
      };
    case "no_acceptable_requirement": {
      const symbols = network.tokens.map(({ symbol }) => symbol).join(" or ");
      const offered = error.considered.map(({ requirement }) => `${requirement.scheme} on ${requirement.network}`);
      return {
        title: "None of the payment options work here",
        cause: `The seller accepts ${[...new Set(offered)].join(", ") || "nothing"}; this page pays with exact or upto on ${toCaip2(network.chainId)} in ${symbols || "no token"}.`,
        fix: "Switch to a network that the seller accepts, or ask the seller to accept this one.",
      };
    }
    default:
      return undefined;
  }
}
