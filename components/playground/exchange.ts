/**
 * Runs an exchange in which the page pays for a request. It adds the page's own checks to payFetch, before signing and
 * sending. Needs neither React nor a wallet library.
 */
import type { Network } from "@/lib/networks";
import { checkPayment } from "@/lib/payflow/checkPayment";
import type { FlowStep } from "@/lib/payflow/flow";
import { readPaymentFacts } from "@/lib/payflow/paymentFacts";
import { toPreflight } from "@/lib/payflow/preflight";
import { findSignatureFacts, toHashes } from "@/lib/payflow/signatureFacts";
import type { Source } from "@/lib/query/source";
import { type PayFetchOptions, type PayFetchResult, payFetch, repeatPayment } from "@/lib/x402/payFetch";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import { signPayment } from "@/lib/x402/signPayment";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentPayload, PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import { toSpendLimits } from "./spendLimits";

/** The request to pay for. The URL is relative if it belongs to this node. The body is JSON. */
export type PaidCall = { url: string; method: string; body?: string };

/** The account that pays: the user's, or one that the page created for this exchange. */
export type Payer = {
  address: Hex;
  /** Whether the page created the account. Such an account is funded without asking. */
  isBurner: boolean;
  signTypedData(data: TypedData): Promise<Hex>;
  sendTransaction(transaction: { to: Hex; data: Hex }): Promise<Hex>;
};

/** What an exchange needs to run. */
export type ExchangeTools = {
  network: Network;
  source: Source;
  record(step: FlowStep): void;
  /** Replaces the recorded step `step` with `by`. */
  amend(step: FlowStep, by: FlowStep): void;
  getBalance(asset: string, address: Hex): Promise<bigint>;
  /** Funds the account from the faucet, and records this as a step. */
  fund(address: Hex): Promise<void>;
};

export type PaymentOutcome = PayFetchResult & {
  payer: Hex;
  /** The reason the server gave for rejecting the payment. */
  refusal?: string;
};

/** Options that make an exchange differ from a normal payment. */
export type ExchangeOptions = Pick<PayFetchOptions, "sign" | "fetch"> & {
  /** Skips the client's checks, so that the server rejects the payment. */
  careless?: boolean;
};

/** The payer's balance of the required asset, read before signing. */
export type Purse = { requirement: PaymentRequirements; balanceUnits: bigint };

/**
 * Requests the resource, pays for it and repeats the request. Calls `onPurse` with the payer's balance. Throws
 * PayFetchError, and rethrows errors from the wallet and from fetch.
 */
export async function payOnce(
  tools: ExchangeTools,
  payer: Payer,
  call: PaidCall,
  { sign, fetch, careless = false }: ExchangeOptions = {},
  onPurse: (purse: Purse) => void = () => undefined,
): Promise<PaymentOutcome> {
  const { network, source } = tools;
  const request = (args: { method: string; params?: readonly unknown[] }) => source.request(args as never);
  const watch = createWatch(tools, payer, call);
  const { reads, approve } = createTokenAccess({
    owner: payer.address,
    getRequest: () => request,
    sendTransaction: (_, { to, data }) => payer.sendTransaction({ to, data }),
  });

  /** Reads the payer's balance. If it is too low and the payer is a burner, funds the burner first, without asking. */
  async function getBalance(requirement: PaymentRequirements): Promise<bigint> {
    let balanceUnits = await tools.getBalance(requirement.asset, payer.address);
    if (payer.isBurner && balanceUnits < BigInt(requirement.amount)) {
      await tools.fund(payer.address);
      balanceUnits = await tools.getBalance(requirement.asset, payer.address);
    }
    onPurse({ requirement, balanceUnits });
    return balanceUnits;
  }

  const result = await payFetch(toUrl(call.url), {
    init: toInit(call),
    ...(fetch && { fetch }),
    sign: async (options) => (sign ?? signPayment)({ ...options, nowMs: await readClockMs(tools) }),
    ...(!careless && { getBalance, approve }),
    reads,
    signer: payer,
    spendLimits: toSpendLimits(network),
    ...watch,
  });
  return toOutcome(tools, payer.address, result);
}

/**
 * The network's time. Developer tools can move a local chain's clock, and the token's contract compares a payment's times
 * with that clock.
 */
async function readClockMs({ network, source }: Pick<ExchangeTools, "network" | "source">): Promise<number> {
  if (!network.embedded) return Date.now();
  const state = await source.request({ method: "explorer_getDeveloperState", params: [] });
  return Date.now() + (state?.clockOffset ?? 0) * 1000;
}

/** Resends the payment from an earlier outcome. Rethrows fetch's errors. */
export async function payAgain(
  tools: ExchangeTools,
  call: PaidCall,
  { payload, header, payer }: { payload: PaymentPayload; header: string; payer: Hex },
  fetch?: PayFetchOptions["fetch"],
): Promise<PaymentOutcome> {
  const result = await repeatPayment(
    toUrl(call.url),
    { payload, header },
    { init: toInit(call), onStep: tools.record, ...(fetch && { fetch }) },
  );
  return toOutcome(tools, payer, result);
}

/** The page's hooks for payFetch: preflight checks, EIP-712 hashes, signer recovery and rule checks. */
function createWatch(
  tools: ExchangeTools,
  payer: Payer,
  call: PaidCall,
): Required<Pick<PayFetchOptions, "onStep" | "beforeSigning" | "beforeSending">> {
  const request = (args: { method: string; params: readonly unknown[] }) => tools.source.request(args as never);
  let serverDate: string | undefined;
  let offered: PaymentRequirements | undefined;
  let digest: Hex | undefined;
  let signature: FlowStep | undefined;
  let verify: FlowStep | undefined;

  return {
    onStep(step) {
      if (step.kind === "response") serverDate = step.headers.date;
      if (step.kind === "typedData") {
        const hashes = toHashes(step.data);
        // Only the first digest belongs to the payment. If a token permit is needed, it is signed later.
        digest ??= hashes.digest;
        tools.record({ ...step, hashes });
        return;
      }
      if (step.kind === "signature") signature = step;
      tools.record(step);
      if (step.kind === "paidRequest" && verify) tools.record({ ...verify, atMs: Date.now() });
    },
    async beforeSigning(requirement, paymentRequired: PaymentRequired) {
      const nowMs = Date.now();
      offered = requirement;
      const facts = await readPaymentFacts(request, requirement, { payer: payer.address, serverDate, nowMs });
      const checks = toPreflight(requirement, facts, paymentRequired.extensions);
      tools.record({ kind: "preflight", atMs: Date.now(), checks });
    },
    async beforeSending(payload) {
      if (signature?.kind === "signature" && digest) {
        const facts = await findSignatureFacts(digest, String(payload.payload.signature));
        if (facts) tools.amend(signature, { ...signature, facts });
      }
      if (!offered) return;
      const nonce = findSignedPayment(payload.payload)?.nonce;
      const nowMs = Date.now();
      // Reads the on-chain facts again, because Permit2 may have been approved since the preflight checks.
      const facts = await readPaymentFacts(request, offered, {
        payer: payer.address,
        ...(nonce && { nonce }),
        serverDate,
        nowMs,
      });
      const url = toUrl(call.url).href;
      const nowSeconds = Math.floor((await readClockMs(tools)) / 1000);
      const checks = await checkPayment(payload, { offered, url, facts, nowSeconds });
      verify = { kind: "verify", atMs: Date.now(), checks };
    },
  };
}

async function toOutcome(tools: ExchangeTools, payer: Hex, result: PayFetchResult): Promise<PaymentOutcome> {
  const { response, settlement, steps } = result;
  const body = await response.text();
  const mimeType = response.headers.get("content-type") ?? "";
  if (response.ok) tools.record({ kind: "content", atMs: Date.now(), status: response.status, mimeType, body });
  const last = steps.at(-1);
  const refusal = last?.kind === "refusal" ? last.paymentRequired.error : settlement?.errorReason;
  return { ...result, payer, ...(refusal !== undefined && { refusal }) };
}

function toUrl(url: string): URL {
  return new URL(url, window.location.origin);
}

function toInit({ method, body }: PaidCall): NonNullable<PayFetchOptions["init"]> {
  return { method, ...(body !== undefined && { body, headers: { "content-type": "application/json" } }) };
}
