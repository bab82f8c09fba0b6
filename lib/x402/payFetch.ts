/**
 * A fetch that pays: it reads a 402 response, chooses a requirement within `spendLimits` that the payer can afford,
 * signs it, and sends the request again. It makes at most one payment per call.
 */

import {
  decodeHeader,
  encodeHeader,
  paymentRequiredHeader,
  paymentResponseHeader,
  paymentSignatureHeader,
} from "@/lib/x402/header";
import type { PaymentSigner, TokenAccess } from "@/lib/x402/payer";
import { type Considered, chooseRequirement, PayFetchError, type SpendLimit } from "@/lib/x402/payFetchChoice";
import { getPermit2Contracts, isApprovalSponsored, needsAllowance, signPayment } from "@/lib/x402/signPayment";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from "@/lib/x402/types";
import { isWireError } from "@/lib/x402/wireError";

/** The caller's request, without the headers that fetch adds. */
export type SentRequest = { method: string; url: string; headers: Record<string, string>; body?: string };

/** One step of a paid request, in chronological order. Times are milliseconds since the epoch. */
export type PayStep = { atMs: number } & (
  | ({ kind: "request" } & SentRequest)
  | { kind: "response"; status: number; headers: Record<string, string> }
  | { kind: "paymentRequired"; header: string; paymentRequired: PaymentRequired }
  | { kind: "choice"; requirement: PaymentRequirements; considered: Considered[] }
  | { kind: "approval"; spender: Hex; transaction: Hex }
  | { kind: "typedData"; data: TypedData }
  | { kind: "signature"; payload: PaymentPayload; header: string }
  | ({ kind: "paidRequest" } & SentRequest)
  | { kind: "paidResponse"; status: number; headers: Record<string, string> }
  | { kind: "settlement"; header: string; settlement: SettleResponse }
  | { kind: "refusal"; header: string; paymentRequired: PaymentRequired }
);

export type PayFetchOptions = Partial<TokenAccess> & {
  signer: PaymentSigner;
  spendLimits: readonly SpendLimit[];
  /** The same as fetch's `init`, but the body can't be a stream, because it may be sent twice. */
  init?: Omit<RequestInit, "body"> & { body?: string | Blob | ArrayBuffer | FormData | URLSearchParams };
  /** Called after a requirement is chosen and before anything is approved or signed. If it throws, nothing is paid. */
  beforeSigning?: (requirement: PaymentRequirements, paymentRequired: PaymentRequired) => Promise<void>;
  /** Called with the signed payment before it is sent. If it throws, the payment isn't sent. */
  beforeSending?: (payload: PaymentPayload) => Promise<void>;
  /** Replaces signPayment, for example to test a faulty payment. */
  sign?: typeof signPayment;
  onStep?: (step: PayStep) => void;
  fetch?: typeof fetch;
  nowMs?: () => number;
};

export type PayFetchResult = {
  /** The last response, with its body unread. A status of 402 or 412 means that the payment was rejected. */
  response: Response;
  steps: PayStep[];
  payload?: PaymentPayload;
  settlement?: SettleResponse;
};

/**
 * Requests a URL and pays if payment is required. Throws PayFetchError if no requirement can be paid within
 * `spendLimits`, and rethrows errors of fetch and the signer.
 */
export async function payFetch(url: string | URL, options: PayFetchOptions): Promise<PayFetchResult> {
  const { signer, init, fetch: send = fetch, nowMs = Date.now, sign = signPayment } = options;
  const { steps, record } = createRecorder(options);

  record({ kind: "request", ...toSent(url, init) });
  const first = await send(url, { ...init });
  record({ kind: "response", status: first.status, headers: toRecord(first.headers) });
  const header = first.headers.get(paymentRequiredHeader);
  if (first.status !== 402 || header === null) return { response: first, steps };

  const paymentRequired = readPaymentRequired(header);
  record({ kind: "paymentRequired", header, paymentRequired });
  // The connection can be reused only after the body has been read.
  await first.arrayBuffer();

  const { requirement, considered } = await chooseRequirement(paymentRequired.accepts, options);
  record({ kind: "choice", requirement, considered });
  await options.beforeSigning?.(requirement, paymentRequired);
  const approval = await approveIfNeeded(requirement, paymentRequired, options);
  if (approval) record({ kind: "approval", ...approval });
  const payload = await sign({
    signer,
    requirement,
    resource: paymentRequired.resource,
    extensions: paymentRequired.extensions,
    reads: options.reads,
    nowMs: nowMs(),
    onTypedData: (data) => record({ kind: "typedData", data }),
  });
  const signatureHeader = encodeHeader(payload);
  record({ kind: "signature", payload, header: signatureHeader });
  await options.beforeSending?.(payload);
  return { ...(await sendPaid(url, signatureHeader, options, { steps, record })), payload };
}

/**
 * Sends an existing payment again, for example after a lost response. A payment settles only once, however often it is
 * sent. Rethrows fetch's errors.
 */
export async function repeatPayment(
  url: string | URL,
  payment: { payload: PaymentPayload; header: string },
  options: Pick<PayFetchOptions, "init" | "fetch" | "nowMs" | "onStep">,
): Promise<PayFetchResult> {
  return { ...(await sendPaid(url, payment.header, options, createRecorder(options))), payload: payment.payload };
}

type Recorder = { steps: PayStep[]; record: (step: WithoutTime<PayStep>) => void };

function createRecorder({ nowMs = Date.now, onStep }: Pick<PayFetchOptions, "nowMs" | "onStep">): Recorder {
  const steps: PayStep[] = [];
  return {
    steps,
    record(step) {
      const timed: PayStep = { atMs: nowMs(), ...step };
      steps.push(timed);
      onStep?.(timed);
    },
  };
}

async function sendPaid(
  url: string | URL,
  header: string,
  { init, fetch: send = fetch }: Pick<PayFetchOptions, "init" | "fetch">,
  { steps, record }: Recorder,
): Promise<Omit<PayFetchResult, "payload">> {
  const headers = new Headers(init?.headers);
  headers.set(paymentSignatureHeader, header);
  record({ kind: "paidRequest", ...toSent(url, { ...init, headers }) });
  const response = await send(url, { ...init, headers });
  record({ kind: "paidResponse", status: response.status, headers: toRecord(response.headers) });

  const settlement = findSettlement(response);
  if (settlement) record({ kind: "settlement", ...settlement });
  // 412 means that an allowance is needed first.
  const refused = response.status === 402 || response.status === 412;
  const refusal = refused ? response.headers.get(paymentRequiredHeader) : null;
  if (refusal !== null) record({ kind: "refusal", header: refusal, paymentRequired: readPaymentRequired(refusal) });
  return { response, steps, ...(settlement && { settlement: settlement.settlement }) };
}

function toSent(url: string | URL, init: PayFetchOptions["init"]): SentRequest {
  const body = init?.body;
  return {
    method: init?.method ?? "GET",
    url: String(url),
    headers: toRecord(new Headers(init?.headers)),
    ...(typeof body === "string" && { body }),
  };
}

/**
 * If the payment needs a Permit2 approval that it can't include, sends the approval and returns it. Returns undefined
 * if no approval is needed or `reads` is missing. Throws PayFetchError if an approval is needed but `approve` is
 * missing.
 */
async function approveIfNeeded(
  requirement: PaymentRequirements,
  { extensions }: PaymentRequired,
  { signer, reads, approve }: PayFetchOptions,
): Promise<{ spender: Hex; transaction: Hex } | undefined> {
  if (!reads || !needsAllowance(requirement) || isApprovalSponsored(requirement, extensions, { signer, reads }))
    return undefined;
  const { permit2: spender } = getPermit2Contracts(requirement);
  if ((await reads.getAllowance(requirement, spender)) >= BigInt(requirement.amount)) return undefined;
  if (approve) return { spender, transaction: await approve(requirement, spender) };
  throw new PayFetchError(
    "allowance_required",
    `Permit2 is not approved to spend ${requirement.amount} units of the payer's token. Approve it first.`,
  );
}

/**
 * Checks the version and the requirements without a validation library, so that pages don't have to load one. Throws
 * PayFetchError.
 */
export function readPaymentRequired(header: string): PaymentRequired {
  const value = decode(header) as PaymentRequired;
  if (typeof value !== "object" || value === null || value.x402Version !== 2) {
    throw new PayFetchError("malformed_answer", "The 402 response is not x402 version 2.");
  }
  const accepts: unknown = value.accepts;
  const wellFormed =
    Array.isArray(accepts) &&
    accepts.every(
      (entry: Partial<PaymentRequirements> | null) =>
        typeof entry?.scheme === "string" &&
        typeof entry.network === "string" &&
        typeof entry.asset === "string" &&
        typeof entry.payTo === "string" &&
        typeof entry.amount === "string" &&
        /^\d{1,78}$/.test(entry.amount) &&
        Number.isSafeInteger(entry.maxTimeoutSeconds),
    );
  if (!wellFormed) throw new PayFetchError("malformed_answer", "The 402 response contains a malformed requirement.");
  return value;
}

/**
 * Returns undefined instead of throwing if the receipt is unreadable, so that the caller still gets the paid content.
 */
function findSettlement(response: Response): { header: string; settlement: SettleResponse } | undefined {
  const header = response.headers.get(paymentResponseHeader);
  if (header === null) return undefined;
  try {
    const settlement = decodeHeader(header) as SettleResponse;
    const readable = typeof settlement?.success === "boolean" && typeof settlement.transaction === "string";
    return readable ? { header, settlement } : undefined;
  } catch (error) {
    if (isWireError(error)) return undefined;
    throw error;
  }
}

function decode(header: string): unknown {
  try {
    return decodeHeader(header);
  } catch (error) {
    if (isWireError(error)) throw new PayFetchError("malformed_answer", error.message);
    throw error;
  }
}

function toRecord(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers.entries());
}

type WithoutTime<T> = T extends unknown ? Omit<T, "atMs"> : never;
