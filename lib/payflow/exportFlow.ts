/**
 * Exports a flow as JSON and as a link that contains all of it. Invariant: signatures leave the page only if their
 * owner agrees, because anyone with an unsettled signature could settle it.
 */

import { toJson } from "@/lib/json";
import { type Flow, type FlowStep, findStep } from "@/lib/payflow/flow";
import { decodeHeader, encodeHeader, paymentSignatureHeader } from "@/lib/x402/header";
import { isWireError } from "@/lib/x402/wireError";

export const redacted = "redacted";
/** Many programs truncate longer links. */
export const maxLinkLength = 16_000;
/** Maximum size of an untrusted link's content after inflating. */
const maxFlowBytes = 1_000_000;

/** Thrown if a link does not contain a flow. The message can be shown to users. */
export class FlowLinkError extends Error {
  override name = "FlowLinkError";
  readonly code = "INVALID_FLOW_LINK";
}

const secretKeys = new Set(["signature", "raw", "signedTransaction"]);

/**
 * Removes every signature that may still be valid, the header that carries it, and the facts derived from it. The
 * settlement's bytes contain the signature too, so they are removed unless the settlement used it up.
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

/** Whether every signature in the settlement is used: it succeeded, and no other payment in it could have failed. */
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

/** Bigints become decimal text, as in typed data sent to a wallet. */
export function toFlowJson(flow: Flow): string {
  return toJson(flow);
}

/** The flow as text for the fragment of a link: deflated JSON in base64url. */
export async function toLinkText(flow: Flow): Promise<string> {
  const bytes = await pump(new TextEncoder().encode(toFlowJson(flow)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Throws FlowLinkError. */
export async function fromLinkText(text: string): Promise<Flow> {
  if (text === "" || text.length > maxLinkLength * 4 || !/^[\w-]+$/.test(text)) {
    throw new FlowLinkError("The link contains no payment flow.");
  }
  let value: unknown;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    value = JSON.parse(new TextDecoder().decode(await pump(packed, new DecompressionStream("deflate-raw"))));
  } catch (cause) {
    if (cause instanceof FlowLinkError) throw cause;
    throw new FlowLinkError("The link is incomplete or was changed.", { cause });
  }
  return readFlow(value);
}

type FieldType = "string" | "number" | "boolean" | "object" | "array";

/** The fields that every step of a kind has, besides atMs. */
const stepFields: Record<FlowStep["kind"], Record<string, FieldType>> = {
  request: { method: "string", url: "string", headers: "object" },
  response: { status: "number", headers: "object" },
  paymentRequired: { header: "string", paymentRequired: "object" },
  choice: { requirement: "object", considered: "array" },
  approval: { spender: "string", transaction: "string" },
  typedData: { data: "object" },
  signature: { payload: "object", header: "string" },
  paidRequest: { method: "string", url: "string", headers: "object" },
  paidResponse: { status: "number", headers: "object" },
  settlement: { header: "string", settlement: "object" },
  refusal: { header: "string", paymentRequired: "object" },
  funded: { transaction: "string" },
  preflight: { checks: "array" },
  verify: { checks: "array" },
  facilitatorRequest: { path: "string" },
  facilitatorAnswer: { path: "string", status: "number", failed: "boolean" },
  settle: { transaction: "string", readings: "array" },
  ledger: { payment: "object" },
  mined: { receipt: "object" },
  final: { block: "number", finalized: "number" },
  content: { status: "number", mimeType: "string", body: "string" },
  balances: { asset: "string", changes: "array" },
  stopped: { message: "string" },
};

function isFlowStep(value: unknown): value is FlowStep {
  if (typeof value !== "object" || value === null) return false;
  const step = value as Record<string, unknown>;
  if (typeof step.kind !== "string" || !Object.hasOwn(stepFields, step.kind) || !Number.isFinite(step.atMs))
    return false;
  return Object.entries(stepFields[step.kind as FlowStep["kind"]]).every(([name, type]) => {
    const field = step[name];
    if (type === "array") return Array.isArray(field);
    return typeof field === type && field !== null && !Array.isArray(field);
  });
}

/**
 * Reads a flow from untrusted JSON. Checks its outer structure and the kind and fields of each step, but not the
 * fields' contents. Throws FlowLinkError.
 */
export function readFlow(value: unknown): Flow {
  const flow = value as Partial<Flow> | null;
  const isFlow =
    typeof flow === "object" &&
    flow !== null &&
    flow.version === 1 &&
    typeof flow.network === "string" &&
    typeof flow.chain === "string" &&
    typeof flow.resource === "string" &&
    Array.isArray(flow.steps);
  if (!isFlow) throw new FlowLinkError("The link does not contain a payment flow of a supported version.");
  const wrongAt = (flow.steps ?? []).findIndex((step) => !isFlowStep(step));
  if (wrongAt >= 0)
    throw new FlowLinkError(`Step ${wrongAt + 1} of the link's flow is malformed or has an unknown kind.`);
  return flow as Flow;
}

async function pump(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes as BufferSource).then(() => writer.close());
  // Ignored, because reading fails with a more informative error.
  written.catch(() => undefined);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxFlowBytes) {
      await reader.cancel();
      throw new FlowLinkError("The flow in this link is too large.");
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
