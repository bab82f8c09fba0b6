/**
 * Exports a flow as JSON, and shortens it for the node's records. Signatures leave the page only if their owner agrees,
 * because anyone who has an unused signature could settle the payment with it.
 */

import { toJson, toPrettyJson } from "@/lib/json";
import { type Network, toCaip2 } from "@/lib/networks";
import { type Flow, type FlowStep, findStep } from "@/lib/payflow/flow";
import { toAbsolute } from "@/lib/payflow/stepCode";
import { decodeHeader, encodeHeader, paymentSignatureHeader } from "@/lib/x402/header";
import { isWireError } from "@/lib/x402/wireError";

export const redacted = "redacted";
/** Bodies longer than this are truncated before they are recorded. */
const maxBodyCharacters = 4_096;
/** The node rejects records longer than this. */
export const maxRecordCharacters = 65_536;

/** These steps aren't recorded, because a page can read them from the ledger and the chain again. */
const chainKinds = new Set<FlowStep["kind"]>(["settle", "ledger", "mined", "final", "balances"]);

const secretKeys = new Set(["signature", "raw", "signedTransaction"]);

/**
 * Removes every signature that may still be valid, the header that contains it, and the facts derived from it. The
 * settlement's bytes also contain the signature, so they are kept only if the signature is used up.
 */
export function withoutSignatures(flow: Flow): Flow {
  return { ...flow, steps: flow.steps.map((step) => redactStep(step, flow.steps)) };
}

function redactStep(step: FlowStep, steps: readonly FlowStep[]): FlowStep {
  if (step.kind === "signature") {
    const { facts: _, ...rest } = redact(step) as typeof step;
    return { ...rest, header: toRedactedHeader(step.header) };
  }
  if (step.kind !== "settle") return redact(step) as FlowStep;
  if (isUsedUp(step.transaction, steps)) return step;
  const { raw: _, ...rest } = step;
  return { ...rest, readings: step.readings.map((reading) => ({ ...reading, values: [] })) };
}

/**
 * Whether every signature in the settlement is used up. True if the settlement succeeded and contains only this
 * payment.
 */
function isUsedUp(transaction: string, steps: readonly FlowStep[]): boolean {
  const mined = findStep(steps, "mined");
  return mined?.receipt.transactionHash === transaction && mined.receipt.status === "0x1" && mined.batchSize === 1;
}

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (secretKeys.has(key) && typeof part === "string") return [key, redacted];
      if (key.toLowerCase() === paymentSignatureHeader.toLowerCase() && typeof part === "string") {
        return [key, toRedactedHeader(part)];
      }
      return [key, redact(part)];
    }),
  );
}

function toRedactedHeader(header: string): string {
  try {
    return encodeHeader(redact(decodeHeader(header)));
  } catch (error) {
    if (isWireError(error)) return redacted;
    throw error;
  }
}

/** Whether the payment's signature was removed from the steps. */
export function isRedacted(steps: readonly FlowStep[]): boolean {
  return findStep(steps, "signature")?.payload.payload.signature === redacted;
}

/** The flow of the exchange that took place on this page. Undefined if no request was made. */
export function findFlow(
  steps: readonly FlowStep[],
  { network, origin, lab }: { network: Network; origin: string; lab?: string | undefined },
): Flow | undefined {
  const request = findStep(steps, "request");
  if (!request) return undefined;
  return {
    version: 1,
    network: network.name,
    chain: toCaip2(network.chainId),
    resource: toAbsolute(request.url, origin),
    ...(lab !== undefined && { lab }),
    steps: [...steps],
  };
}

/** The part of a flow that the node records: the client's steps, without signatures and with long bodies shortened. */
export function toRecordedFlow(flow: Flow): Flow {
  return withoutSignatures({
    ...flow,
    steps: flow.steps.filter(({ kind }) => !chainKinds.has(kind)).map(cutBody),
  });
}

function cutBody(step: FlowStep): FlowStep {
  if (!("body" in step) || typeof step.body !== "string" || step.body.length <= maxBodyCharacters) return step;
  const cut = (text: string) => (text.length <= maxBodyCharacters ? text : `${text.slice(0, maxBodyCharacters)}…`);
  if (step.kind !== "content") return { ...step, body: cut(step.body) } as FlowStep;
  // JSON that is cut can't be formatted later.
  const body = cut(toPrettyJson(step.body));
  return { ...step, body, size: step.size ?? new TextEncoder().encode(step.body).length };
}

/** Bigints become decimal text, as in typed data sent to a wallet. */
export function toFlowJson(flow: Flow): string {
  return toJson(flow);
}
