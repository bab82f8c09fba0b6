/**
 * A fetch for URLs on other servers. It sends each request through this server, which checks the target, and returns
 * the target's response as a Response.
 */
import type { ForeignAnswer, ForeignFailure, ForeignQuestion } from "@/lib/payflow/foreign";
import { foreignPath } from "@/lib/payflow/foreign";
import { PayFetchError } from "@/lib/x402/payFetchChoice";

/** Thrown if this server couldn't fetch the URL. `failure` is the code for the reason, if there is one. */
export class ForeignFetchError extends PayFetchError {
  readonly failure: string | undefined;

  constructor({ error, reason }: ForeignFailure) {
    super("malformed_answer", error);
    this.failure = reason;
  }
}

/** Rejects with ForeignFetchError if this server rejects the URL or the target doesn't respond. */
export function createForeignFetch(): typeof fetch {
  return async (input, init) => {
    // Requests for this node's own resources need no relay.
    if (new URL(String(input)).origin === window.location.origin) return fetch(input, init);
    const question: ForeignQuestion = {
      url: String(input),
      method: init?.method ?? "GET",
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === "string" && { body: init.body }),
    };
    const response = await fetch(foreignPath, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
    });
    const answer = (await response.json().catch(() => undefined)) as
      | ForeignAnswer
      | Partial<ForeignFailure>
      | undefined;
    if (!answer || !("status" in answer)) {
      const reason = response.status === 429 ? "busy" : answer?.reason;
      throw new ForeignFetchError({
        error: answer?.error ?? "The server’s response is malformed.",
        ...(reason !== undefined && { reason }),
      });
    }
    const { status, headers, body } = answer;
    // A Response with a status such as 204 must not have a body.
    const isEmpty = status === 204 || status === 205 || status === 304 || status < 200;
    return new Response(isEmpty ? null : body, { status: status < 200 ? 502 : status, headers: toHeaders(headers) });
  };
}

/** Skips headers that a Response can't carry. */
function toHeaders(headers: Record<string, string>): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) kept.set(name, value);
  }
  return kept;
}
