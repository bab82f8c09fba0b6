/**
 * Records the HTTP exchanges of paid requests, for payment pages and for links to flows. Records contain no signatures.
 * An exchange is linked to a payment only if one of this node's paywalls served it.
 */
import { createHash, randomBytes } from "node:crypto";
import { toJson } from "@/lib/json";
import { maxExchanges } from "@/lib/payflow/exchanges";
import { maxRecordCharacters, toRecordedFlow } from "@/lib/payflow/exportFlow";
import { findPaymentId } from "@/lib/payflow/findPaymentId";
import type { Flow, FlowStep } from "@/lib/payflow/flow";
import { decodeHeader, paymentRequiredHeader, paymentResponseHeader, paymentSignatureHeader } from "@/lib/x402/header";
import { parsePaymentPayload, parsePaymentRequired, parseSettleResponse } from "@/lib/x402/wire";
import { createRateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { ExchangeStore } from "@/server/ports/store";

/** A network whose exchanges are recorded. */
export type RecordedNetwork = { name: string; caip2: string; store: Pick<ExchangeStore, "putExchange"> };

/**
 * 32 lowercase letters and digits that are hard to mistake for each other. With 32 choices, each character holds 5
 * bits.
 */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const idLength = 12;
/**
 * Salt for the hash that identifies a client, so that records don't contain IP addresses. It is different in every
 * process.
 */
const salt = randomBytes(16);

/** Thrown if a flow is too large to be recorded. */
class FlowTooLargeError extends Error {
  override name = "FlowTooLargeError";
  readonly code = "FLOW_TOO_LARGE";
}

/** Records a flow and returns the record's ID. Throws FlowTooLargeError and the store's errors. */
export async function recordExchange(
  store: RecordedNetwork["store"],
  flow: Flow,
  { client, payment }: { client: string; payment?: `0x${string}` | undefined },
): Promise<string> {
  const text = toJson(toRecordedFlow(flow), 0);
  if (text.length > maxRecordCharacters) {
    throw new FlowTooLargeError(`The flow has ${text.length} characters; the limit is ${maxRecordCharacters}.`);
  }
  const id = Array.from(randomBytes(idLength), (byte) => alphabet[byte % alphabet.length]).join("");
  await store.putExchange(
    {
      id,
      ...(payment && { payment }),
      client: createHash("sha256").update(salt).update(client).digest("base64url").slice(0, 22),
      createdAtMs: Date.now(),
      flow: text,
    },
    maxExchanges,
  );
  return id;
}

/**
 * The rate limit per client. A client that exceeds it is running a load test, so only some of its exchanges are
 * recorded.
 */
const recordsPerSecond = 10;
const maxOffers = 500;
const offerMs = 600_000;
/** The only headers that are recorded. None of them contains credentials or cookies, or says what the client is. */
const shownHeaders = ["accept", "content-type", paymentSignatureHeader.toLowerCase()];

type Seen = { atMs: number; request: HttpRequest; answeredMs: number; response: HttpResponse };

/**
 * Wraps a paywall's handlers to record the paid exchanges that they serve. If the same client received a 402 response
 * to this request earlier, the record starts with that response.
 */
export function createExchangeRecorder(
  networks: readonly RecordedNetwork[],
  onError: (error: unknown) => void,
): (handler: HttpHandler) => HttpHandler {
  /** The 402 responses whose requests may be repeated with a payment, keyed by client, user agent, method and URL. */
  const offers = new Map<string, Seen>();
  const rateLimit = createRateLimit(recordsPerSecond);

  async function record(offer: Seen | undefined, paid: Seen): Promise<void> {
    const steps = [...(offer ? toOfferSteps(offer) : []), ...toPaidSteps(paid)];
    const chain = steps.find((step) => step.kind === "signature")?.payload.accepted.network;
    const network = networks.find(({ caip2 }) => caip2 === chain);
    const client = toClientKey(paid.request);
    if (!network || rateLimit.take(client) > 0) return;
    const resource = toUrl(paid.request);
    const flow: Flow = { version: 1, network: network.name, chain: network.caip2, resource, steps };
    await recordExchange(network.store, flow, { client, payment: findPaymentId(steps) });
  }

  return (handler) => async (request) => {
    const atMs = Date.now();
    const response = await handler(request);
    const seen = { atMs, request, answeredMs: Date.now(), response };
    const key = [toClientKey(request), request.headers["user-agent"], request.method, toUrl(request)].join(" ");
    if (findHeader(request.headers, paymentSignatureHeader) === undefined) {
      if (response.status === 402) keepOffer(offers, key, seen);
      return response;
    }
    // Only exchanges with a settlement are recorded. A settlement proves that the request had a valid payment, so nobody
    // can attach an exchange to another payer's payment.
    if (findHeader(response.headers, paymentResponseHeader) === undefined) return response;
    const offer = offers.get(key);
    await record(offer && atMs - offer.answeredMs < offerMs ? offer : undefined, seen).catch(onError);
    return response;
  };
}

function keepOffer(offers: Map<string, Seen>, key: string, seen: Seen): void {
  offers.delete(key);
  offers.set(key, seen);
  const oldest = offers.size > maxOffers ? offers.keys().next().value : undefined;
  if (oldest !== undefined) offers.delete(oldest);
}

function toOfferSteps({ atMs, request, answeredMs, response }: Seen): FlowStep[] {
  const header = findHeader(response.headers, paymentRequiredHeader);
  if (header === undefined) return [];
  return [
    { kind: "request", atMs, ...toSent(request) },
    { kind: "response", atMs: answeredMs, ...toReceived(response) },
    { kind: "paymentRequired", atMs: answeredMs, header, paymentRequired: parsePaymentRequired(decodeHeader(header)) },
  ];
}

function toPaidSteps({ atMs, request, answeredMs, response }: Seen): FlowStep[] {
  const header = findHeader(request.headers, paymentSignatureHeader)!;
  const receipt = findHeader(response.headers, paymentResponseHeader)!;
  const refusal = response.status < 400 ? undefined : findHeader(response.headers, paymentRequiredHeader);
  const mimeType = findHeader(response.headers, "content-type") ?? "";
  const answered = { atMs: answeredMs };
  return [
    { kind: "signature", atMs, header, payload: parsePaymentPayload(decodeHeader(header)) },
    { kind: "paidRequest", atMs, ...toSent(request) },
    // The duration is added later, from the payment's ledger record.
    { kind: "verify", atMs, checks: [] },
    { kind: "paidResponse", ...answered, ...toReceived(response) },
    { kind: "settlement", ...answered, header: receipt, settlement: parseSettleResponse(decodeHeader(receipt)) },
    ...(refusal === undefined
      ? []
      : [
          {
            kind: "refusal" as const,
            ...answered,
            header: refusal,
            paymentRequired: parsePaymentRequired(decodeHeader(refusal)),
          },
        ]),
    ...(response.status >= 400 || response.body instanceof ReadableStream
      ? []
      : [{ kind: "content" as const, ...answered, status: response.status, mimeType, body: toText(response.body) }]),
  ];
}

function toSent(request: HttpRequest) {
  const headers = shownHeaders.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    method: request.method,
    url: toUrl(request),
    headers: Object.fromEntries(headers),
    ...(request.body.length > 0 && { body: toText(request.body) }),
  };
}

function toReceived({ status, headers }: HttpResponse) {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { status, headers: Object.fromEntries(lower) as Record<string, string> };
}

function toUrl({ origin, path, query }: HttpRequest): string {
  const search = query.toString();
  return `${origin}${path}${search && `?${search}`}`;
}

function toText(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function findHeader(headers: Record<string, string | undefined>, name: string): string | undefined {
  return headers[name] ?? headers[name.toLowerCase()];
}
