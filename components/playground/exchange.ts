/**
 * One paid exchange as the page makes it: payFetch, and around it what the page looks at before signing and before
 * sending. Knows of wallets and of React nothing but a payer that signs.
 */
import type { Network } from "@/lib/networks";
import { toCaip2 } from "@/lib/networks";
import { checkPayment } from "@/lib/payflow/checkPayment";
import type { FlowStep } from "@/lib/payflow/flow";
import { isPermit2, type PaymentFacts, readNonceUsed, readPaymentFacts } from "@/lib/payflow/paymentFacts";
import { toPreflight } from "@/lib/payflow/preflight";
import { findSignatureFacts, toHashes } from "@/lib/payflow/signatureFacts";
import type { Source } from "@/lib/query/source";
import { type PayFetchOptions, type PayFetchResult, payFetch, repeatPayment } from "@/lib/x402/payFetch";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentPayload, PaymentRequired, PaymentRequirements } from "@/lib/x402/types";

/** Ten dollars: far above any demo resource, far below what a burner holds. */
const maxWholeTokens = 10n;

/** What is asked for: an address, relative where it is the node's own, and the JSON that is sent along. */
export type PaidCall = { url: string; method: string; body?: string };

/** Who signs; an account of the visitor's, or one that the page made for this exchange alone. */
export type Payer = {
  address: Hex;
  /** The page's own: it is funded without asking. */
  isBurner: boolean;
  signTypedData(data: TypedData): Promise<Hex>;
  sendTransaction(transaction: { to: Hex; data: Hex }): Promise<Hex>;
};

/** What an exchange is given to work with. */
export type ExchangeTools = {
  network: Network;
  source: Source;
  note(step: FlowStep): void;
  /** Puts a step in the place of one that was noted before. */
  amend(step: FlowStep, by: FlowStep): void;
  getBalance(asset: string, address: Hex): Promise<bigint>;
  /** Fills the account from the faucet and notes it. */
  fund(address: Hex): Promise<void>;
};

export type PaymentOutcome = PayFetchResult & {
  payer: Hex;
  status: number;
  body: string;
  /** Why it was refused, as the server said it. */
  refusal?: string;
};

/** In what an exchange differs from paying as one should. */
export type ExchangeOptions = Pick<PayFetchOptions, "sign" | "fetch"> & {
  /** The payer's balance and allowance are left to the server to find wanting. */
  careless?: boolean;
};

/** What the payer held of what was asked, when it was asked. */
export type Purse = { requirement: PaymentRequirements; balanceUnits: bigint };

/**
 * Asks, pays and asks again. onPurse is told what the payer holds. Throws PayFetchError, and what the wallet and fetch
 * throw.
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

  /** A burner is filled without asking. Anybody else's account is not. */
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
    ...(sign && { sign }),
    ...(!careless && { getBalance, approve }),
    reads,
    signer: payer,
    spendLimits: network.tokens.map(({ address, decimals }) => ({
      network: toCaip2(network.chainId),
      asset: address,
      maxUnits: maxWholeTokens * 10n ** BigInt(decimals),
    })),
    ...watch,
  });
  return toOutcome(tools, payer.address, result);
}

/** Sends the payment of an earlier outcome again. Throws what fetch throws. */
export async function payAgain(
  tools: ExchangeTools,
  call: PaidCall,
  { payload, header, payer }: { payload: PaymentPayload; header: string; payer: Hex },
  fetch?: PayFetchOptions["fetch"],
): Promise<PaymentOutcome> {
  const result = await repeatPayment(
    toUrl(call.url),
    { payload, header },
    { init: toInit(call), onStep: tools.note, ...(fetch && { fetch }) },
  );
  return toOutcome(tools, payer, result);
}

/** What the page does around payFetch: it looks before signing, hashes, recovers and runs every rule itself. */
function createWatch(
  tools: ExchangeTools,
  payer: Payer,
  call: PaidCall,
): Required<Pick<PayFetchOptions, "onStep" | "beforeSigning" | "beforeSending">> {
  const request = (args: { method: string; params: readonly unknown[] }) => tools.source.request(args as never);
  let serverDate: string | undefined;
  let offer: { offered: PaymentRequirements; facts: PaymentFacts } | undefined;
  let digest: Hex | undefined;
  let signature: FlowStep | undefined;
  let verify: FlowStep | undefined;

  return {
    onStep(step) {
      if (step.kind === "response") serverDate = step.headers.date;
      if (step.kind === "typedData") {
        const hashes = toHashes(step.data);
        // A token permit that goes along is signed second; what the payment stands on is the first.
        digest ??= hashes.digest;
        tools.note({ ...step, hashes });
        return;
      }
      if (step.kind === "signature") signature = step;
      tools.note(step);
      if (step.kind === "paidRequest" && verify) tools.note({ ...verify, atMs: Date.now() });
    },
    async beforeSigning(requirement, paymentRequired: PaymentRequired) {
      const nowMs = Date.now();
      const facts = await readPaymentFacts(request, requirement, payer.address, { serverDate, nowMs });
      offer = { offered: requirement, facts };
      const checks = toPreflight(requirement, facts, paymentRequired.extensions);
      tools.note({ kind: "preflight", atMs: Date.now(), checks });
    },
    async beforeSending(payload) {
      if (signature?.kind === "signature" && digest) {
        const facts = await findSignatureFacts(digest, String(payload.payload.signature));
        if (facts) tools.amend(signature, { ...signature, facts });
      }
      if (!offer) return;
      const { authorization, permit2Authorization } = payload.payload as Record<string, { nonce: string } | undefined>;
      const nonce = authorization?.nonce ?? permit2Authorization?.nonce ?? "0";
      const { offered } = offer;
      const nowMs = Date.now();
      // An approval may have come since the preflight.
      const [facts, nonceUsed] = await Promise.all([
        isPermit2(offered) ? readPaymentFacts(request, offered, payer.address, { serverDate, nowMs }) : offer.facts,
        readNonceUsed(request, offered, payer.address, nonce),
      ]);
      const checks = await checkPayment(payload, {
        offered,
        facts,
        nonceUsed,
        url: toUrl(call.url).href,
        nowSeconds: Math.floor(nowMs / 1000),
      });
      verify = { kind: "verify", atMs: Date.now(), checks };
    },
  };
}

async function toOutcome(tools: ExchangeTools, payer: Hex, result: PayFetchResult): Promise<PaymentOutcome> {
  const { response, settlement, steps } = result;
  const body = await response.text();
  const mimeType = response.headers.get("content-type") ?? "";
  if (response.ok) tools.note({ kind: "content", atMs: Date.now(), status: response.status, mimeType, body });
  const last = steps.at(-1);
  const refusal = last?.kind === "refusal" ? last.paymentRequired.error : settlement?.errorReason;
  return { ...result, payer, status: response.status, body, ...(refusal !== undefined && { refusal }) };
}

function toUrl(url: string): URL {
  return new URL(url, window.location.origin);
}

function toInit({ method, body }: PaidCall): NonNullable<PayFetchOptions["init"]> {
  return { method, ...(body !== undefined && { body, headers: { "content-type": "application/json" } }) };
}
