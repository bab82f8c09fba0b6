/**
 * A client for any facilitator over HTTP: POST /verify, POST /settle and GET /supported. Network failures never count
 * as rejections: if the response to a settlement is lost, the settlement is pending.
 */

import { idempotencyKeyHeader } from "@/lib/x402/header";
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from "@/lib/x402/types";
import { parseSettleResponse, parseVerifyResponse } from "@/lib/x402/wire";
import { isWireError } from "@/lib/x402/wireError";
import { type FacilitatorClient, FacilitatorClientError } from "@/server/x402/resource-server/facilitatorClient";

type HttpFacilitatorClientOptions = {
  /** The base URL, with or without a trailing slash, such as "https://example.com/api/facilitator". */
  url: string;
  /** The timeout for each request, in milliseconds. */
  timeoutMs?: number;
  /** Headers to send with every request, for example if the facilitator requires an API key. */
  headers?: Record<string, string>;
  fetch?: typeof fetch;
  /** Receives the reason why a request to a facilitator failed. The payer only learns that it failed. */
  onError?: (error: unknown) => void;
};

/** The largest response that is read. Valid responses are smaller. */
const maxAnswerBytes = 1_048_576;

type Answer = { status: number; body: unknown };

/** Creates the client. Throws TypeError if the URL is not an HTTP URL. */
export function createHttpFacilitatorClient(options: HttpFacilitatorClientOptions): FacilitatorClient {
  const { onError = () => undefined } = options;
  const base = options.url.replace(/\/+$/, "");
  if (!/^https?:$/.test(new URL(base).protocol))
    throw new TypeError("The facilitator's URL must start with http:// or https://.");
  const post = (
    path: string,
    paymentPayload: PaymentPayload,
    paymentRequirements: PaymentRequirements,
    headers: Record<string, string> = {},
  ) =>
    ask(
      `${base}/${path}`,
      { ...options, headers: { ...options.headers, ...headers } },
      { x402Version: paymentPayload.x402Version, paymentPayload, paymentRequirements },
    );

  return {
    async verify(payload, requirements) {
      try {
        return readVerdict(await post("verify", payload, requirements));
      } catch (error) {
        onError(error);
        return { isValid: false, invalidReason: "unexpected_error", invalidMessage: toSentence(error) };
      }
    },

    async settle(payload, requirements, { idempotencyKey } = {}) {
      const { network } = requirements;
      const headers = idempotencyKey === undefined ? {} : { [idempotencyKeyHeader]: idempotencyKey };
      let answer: Answer;
      try {
        answer = await post("settle", payload, requirements, headers);
      } catch (error) {
        onError(error);
        return toPending(network, toSentence(error));
      }
      try {
        const outcome = parseSettleResponse(answer.body);
        if (!outcome.success || answer.status < 300) return outcome;
      } catch (error) {
        onError(error);
      }
      // A 4xx status other than 408 means that the facilitator rejected the request and no money has moved. After any
      // other error, the settlement may be in flight.
      const refused = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
      const message = `The facilitator returned HTTP ${answer.status} for /settle.`;
      if (!refused) return toPending(network, message);
      return { success: false, errorReason: "unexpected_error", errorMessage: message, transaction: "", network };
    },

    // The protocol has no call for releasing a reservation, so the facilitator keeps it until it expires.
    release: () => undefined,

    async getSupported() {
      const { status, body } = await ask(`${base}/supported`, options);
      const kinds = (body as { kinds?: unknown } | null | undefined)?.kinds;
      if (status === 200 && Array.isArray(kinds)) return { kinds };
      throw new FacilitatorClientError("bad_answer", `The facilitator returned HTTP ${status} for /supported.`);
    },
  };
}

/**
 * Reads the verdict. A positive verdict counts only with a success status. Throws FacilitatorClientError or WireError.
 */
function readVerdict({ status, body }: Answer): VerifyResponse {
  try {
    const verdict = parseVerifyResponse(body);
    if (!verdict.isValid || status < 300) return verdict;
  } catch (error) {
    if (status < 300) throw error;
  }
  throw new FacilitatorClientError("bad_answer", `The facilitator returned HTTP ${status} for /verify.`);
}

async function ask(url: string, options: HttpFacilitatorClientOptions, question?: object): Promise<Answer> {
  const { timeoutMs = 60_000, headers = {}, fetch: send = fetch } = options;
  const post = question && {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(question),
  };
  let response: Response;
  let text: string;
  try {
    response = await send(url, { signal: AbortSignal.timeout(timeoutMs), headers, ...post });
    text = await readText(response);
  } catch (cause) {
    throw new FacilitatorClientError("unreachable", "Can't reach the facilitator.", { cause });
  }
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: undefined };
  }
}

function toPending(network: string, errorMessage: string): SettleResponse {
  return { success: false, errorReason: "settlement_pending", errorMessage, transaction: "", network };
}

function toSentence(error: unknown): string {
  if (error instanceof FacilitatorClientError) return error.message;
  if (isWireError(error)) return "The facilitator's response is malformed.";
  return "The request to the facilitator failed.";
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(Buffer.concat(chunks));
    chunks.push(value);
    length += value.length;
    if (length > maxAnswerBytes) {
      await reader.cancel();
      throw new FacilitatorClientError("unreachable", "The facilitator's response is too large.");
    }
  }
}
