/**
 * A facilitator of anybody's over HTTP, as the x402 libraries call it: POST verify, POST settle, GET supported. It never
 * throws for a payment: a facilitator that cannot be asked has refused nothing, and a settlement whose answer was lost
 * is not known, never failed.
 */
import type { PaymentPayload, PaymentRequirements, SettleResponse } from "@/lib/x402/types";
import { parseSettleResponse, parseVerifyResponse, WireError } from "@/lib/x402/wire";
import { type Clerk, ClerkError } from "@/server/x402/resource-server/clerk";

export type FacilitatorSettlement = {
  /** Base URL, with or without a final slash: "https://example.com/api/facilitator". */
  url: string;
  /** One request may take this long. */
  timeoutMs?: number;
  /** Sent with every request, as where the facilitator wants a key. */
  headers?: Record<string, string>;
  fetch?: typeof fetch;
  /** Told why a facilitator could not be asked; the payer only hears that it could not. */
  onError?: (error: unknown) => void;
};

/** More than any answer of a facilitator takes. */
const maxAnswerBytes = 1_048_576;

type Answer = { status: number; body: unknown };

/** Builds the client. Throws TypeError where the URL is none of HTTP. */
export function createFacilitatorClient(options: FacilitatorSettlement): Clerk {
  const { timeoutMs = 60_000, headers = {}, fetch: send = fetch, onError = () => undefined } = options;
  const base = options.url.replace(/\/+$/, "");
  if (!/^https?:$/.test(new URL(base).protocol)) throw new TypeError("A facilitator's URL starts with http or https.");
  const uptoAddresses = new Map<string, string>();

  async function ask(path: string, question?: object): Promise<Answer> {
    let response: Response;
    let text: string;
    try {
      response = await send(`${base}/${path}`, {
        signal: AbortSignal.timeout(timeoutMs),
        ...(question
          ? {
              method: "POST",
              headers: { ...headers, "content-type": "application/json" },
              body: JSON.stringify(question),
            }
          : { headers }),
      });
      text = await readText(response);
    } catch (cause) {
      throw new ClerkError("The facilitator could not be reached.", { cause });
    }
    try {
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      return { status: response.status, body: undefined };
    }
  }

  const toQuestion = (paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements) => ({
    x402Version: paymentPayload.x402Version,
    paymentPayload,
    paymentRequirements,
  });

  return {
    async verify(payload, requirements) {
      try {
        const { status, body } = await ask("verify", toQuestion(payload, requirements));
        const verdict = parseVerifyResponse(body);
        // A verdict of yes counts only where the whole answer says so.
        if (verdict.isValid && status >= 300) throw new ClerkError(`The facilitator answered ${status} to verify.`);
        return verdict;
      } catch (error) {
        onError(error);
        return { isValid: false, invalidReason: "unexpected_error", invalidMessage: toSentence(error) };
      }
    },

    async settle(payload, requirements) {
      const { network } = requirements;
      let answer: Answer;
      try {
        answer = await ask("settle", toQuestion(payload, requirements));
      } catch (error) {
        onError(error);
        return toUnknown(network, toSentence(error));
      }
      try {
        const outcome = parseSettleResponse(answer.body);
        if (!outcome.success || answer.status < 300) return outcome;
      } catch (error) {
        onError(error);
      }
      // A refusal that says so moved nothing; whatever else came may have been sent on already.
      const refused = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
      const message = `The facilitator answered ${answer.status} to settle.`;
      if (!refused) return toUnknown(network, message);
      return { success: false, errorReason: "unexpected_error", errorMessage: message, transaction: "", network };
    },

    // The protocol has no word for it: what a facilitator holds runs out by itself.
    release: () => undefined,

    async findUptoAddress(network) {
      const known = uptoAddresses.get(network);
      if (known !== undefined) return known;
      const { status, body } = await ask("supported");
      const kinds = (body as { kinds?: unknown } | null | undefined)?.kinds;
      if (status !== 200 || !Array.isArray(kinds)) {
        throw new ClerkError(`The facilitator answered ${status} to supported.`);
      }
      const address = findUptoAddress(kinds, network);
      if (address !== undefined) uptoAddresses.set(network, address);
      return address;
    },
  };
}

/** facilitatorAddress of the upto kind on a network, out of an answer of GET supported. */
export function findUptoAddress(kinds: readonly unknown[], network: string): string | undefined {
  for (const kind of kinds as readonly { scheme?: unknown; network?: unknown; extra?: unknown }[]) {
    if (kind?.scheme !== "upto" || kind.network !== network) continue;
    const address = (kind.extra as { facilitatorAddress?: unknown } | null | undefined)?.facilitatorAddress;
    if (typeof address === "string") return address;
  }
  return undefined;
}

function toUnknown(network: string, errorMessage: string): SettleResponse {
  return { success: false, errorReason: "settlement_pending", errorMessage, transaction: "", network };
}

function toSentence(error: unknown): string {
  if (error instanceof ClerkError) return error.message;
  if (error instanceof WireError) return "The facilitator's answer is malformed.";
  return "The facilitator could not be asked.";
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
      throw new ClerkError("The facilitator's answer is too long.");
    }
  }
}
