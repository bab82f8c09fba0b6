/**
 * Finds what a URL costs, or why it can't be paid and what to do about it. The price comes from the URL's response to a
 * request without a payment. No wallet is needed.
 */
import { findToken, type Network, toCaip2 } from "@/lib/networks";
import { paymentRequiredHeader } from "@/lib/x402/header";
import { readPaymentRequired } from "@/lib/x402/payFetch";
import { chooseRequirement, isPayFetchError, PayFetchError } from "@/lib/x402/payFetchChoice";
import { canSignPayment } from "@/lib/x402/signPayment";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import { isVersion1 } from "@/lib/x402/version1";
import type { PaidCall } from "./exchange";
import { ForeignFetchError } from "./foreignFetch";
import { maxWholeTokens, toSpendLimits } from "./spendLimits";

/** Why a URL can't be paid here, in one sentence, and what to do about it, unless the page has a button for that. */
export type UrlFailure = { title: string; cause: string; fix?: string };
export type UrlPrice =
  | { offer: PaymentRequired; requirement: PaymentRequirements }
  /** `offer` is set if the URL has a price that can't be paid on this page. */
  | { offer?: PaymentRequired; isFree: boolean; failure: UrlFailure };
/** The page's network, and all networks of this node. */
export type Place = {
  network: Pick<Network, "label" | "chainId" | "tokens">;
  networks: readonly Pick<Network, "label" | "chainId" | "tokens">[];
};

/** Requests the URL without paying. */
export async function readUrlPrice(
  { url, method, body }: PaidCall,
  place: Place,
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
    return await toUrlPrice(readPaymentRequired(header), place);
  } catch (error) {
    const failure = findUrlFailure(error, place);
    if (!failure) throw error;
    return { isFree: false, failure };
  }
}

/** What the offer costs, or why this page can't pay it. */
export async function toUrlPrice(offer: PaymentRequired, place: Place): Promise<UrlPrice> {
  try {
    const { requirement } = await chooseRequirement(offer.accepts, { spendLimits: toSpendLimits(place.network) });
    return { offer, requirement };
  } catch (error) {
    const failure = findUrlFailure(error, place);
    if (!failure) throw error;
    return { offer, isFree: false, failure };
  }
}

/** The networks on which these pages can pay the offer. */
export function listPayable<N extends Place["network"]>(
  offer: Pick<PaymentRequired, "accepts"> | undefined,
  networks: readonly N[],
): N[] {
  return networks.filter((network) =>
    offer?.accepts.some(
      (requirement) =>
        requirement.network === toCaip2(network.chainId) &&
        findToken(network, requirement.asset) &&
        canSignPayment(requirement),
    ),
  );
}

/** The same error, with a message for the page's visitors if the library's message is for programmers. */
export function toVisitorError(error: unknown, place: Place): unknown {
  if (!isPayFetchError(error) || error.reason !== "no_acceptable_requirement") return error;
  const failure = findUrlFailure(error, place);
  return failure ? new PayFetchError(error.reason, `${failure.title}.`, error.considered) : error;
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
  fix: "Use a public http or https URL, or one on localhost if you run Tollscan yourself.",
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
export function findUrlFailure(error: unknown, place: Place): UrlFailure | undefined {
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
    case "no_acceptable_requirement":
      return toUnacceptable(
        error.considered.map(({ requirement }) => requirement),
        place,
      );
    default:
      return undefined;
  }
}

/** Explains an offer without any option that this page can pay. */
function toUnacceptable(accepts: readonly PaymentRequirements[], { network, networks }: Place): UrlFailure {
  const own = toCaip2(network.chainId);
  const symbols = network.tokens.map(({ symbol }) => symbol).join(" or ") || "no token";
  const fix = `Ask the seller to accept ${symbols} on ${network.label}.`;
  const list = (items: string[]) => [...new Set(items)].join(" or ");
  if (accepts.length > 0 && accepts.every((requirement) => requirement.network !== own)) {
    const toLabel = (id: string) => networks.find(({ chainId }) => toCaip2(chainId) === id)?.label ?? id;
    const offered = list(accepts.map((requirement) => toLabel(requirement.network)));
    return {
      title: `This page can’t pay on ${offered}`,
      cause: `The seller accepts payments on ${offered}, but this page pays on ${network.label}.`,
      ...(listPayable({ accepts: [...accepts] }, networks).length === 0 && { fix }),
    };
  }
  const toWay = ({ scheme, asset }: PaymentRequirements) =>
    `${scheme} in ${findToken(network, asset)?.symbol ?? asset}`;
  return {
    title: "None of the payment options work here",
    cause: `The seller accepts ${list(accepts.map(toWay)) || "nothing"}. This page pays with exact or upto in ${symbols}.`,
    fix,
  };
}
