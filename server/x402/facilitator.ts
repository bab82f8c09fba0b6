/**
 * The facilitator: says which payments it takes, whether one is good, and settles it. Knows networks by their EIP-1193
 * request function alone, so the embedded chain and a public one are the same to it. Verdicts are answers, never throws.
 */
import type { LocalAccount } from "viem";
import type { Contracts } from "@/lib/contracts";
import type { Token } from "@/lib/networks";
import type { Reason } from "@/lib/x402/reason";
import { toRefundNonce } from "@/lib/x402/refund";
import type {
  Hex,
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from "@/lib/x402/types";
import { WireError } from "@/lib/x402/wire";
import type { PaymentRecord, PaymentStore } from "@/server/storage/port";
import { erc20Abi } from "@/server/x402/abi";
import { createBatcher } from "@/server/x402/batcher";
import {
  bazaarKey,
  catalogue,
  type DiscoveredResource,
  type DiscoveryFilter,
  listResources,
} from "@/server/x402/discovery";
import { PaymentError } from "@/server/x402/error";
import { gasSponsoringKey } from "@/server/x402/gasSponsoring";
import { type Eip1193Request, NetworkError } from "@/server/x402/jsonRpcError";
import { createLedger, isDone, type Ledger, toPaymentId } from "@/server/x402/ledger";
import { findPaymentIdentifier, paymentIdentifierKey } from "@/server/x402/paymentIdentifier";
import { createReader, type Reader } from "@/server/x402/reader";
import { createRelayer, type RelayerOptions } from "@/server/x402/relayer";
import { createReservations } from "@/server/x402/reservations";
import type { Payment, Scheme, SchemeNetwork } from "@/server/x402/scheme";
import { exactScheme } from "@/server/x402/schemes/v2-eip155-exact/scheme";
import { uptoScheme } from "@/server/x402/schemes/v2-eip155-upto/scheme";
import { createSettler, type Sender, type Settler } from "@/server/x402/settler";

export type FacilitatorNetwork = {
  /** "eip155:10143" */
  caip2: string;
  chainId: number;
  request: Eip1193Request;
  tokens: readonly Token[];
  contracts: Contracts;
  /** Send the settlements and pay their gas; upto is bound to the first unless the payer names another. */
  accounts: readonly [LocalAccount, ...LocalAccount[]];
  store: PaymentStore;
  /** How settlements are sent there, where it differs from other networks. */
  relay?: Pick<RelayerOptions, "waitMs" | "pollMs" | "confirmations" | "maxFeeWei">;
  /** The clock of authorizations and of the ledger; Date.now where it is absent. */
  nowMs?: () => number;
};

export type FacilitatorOptions = {
  networks: readonly FacilitatorNetwork[];
  /** How long a verified payment holds its amount of the payer's balance. */
  holdMs?: number;
  /** Gas above which a settlement is not worth paying for. */
  maxGas?: bigint;
  relay?: Pick<RelayerOptions, "waitMs" | "pollMs">;
  /** Payments of one transaction at most; 1 sends each alone. */
  maxBatch?: number;
  /** How long a settlement may wait for others while a transaction is on its way. */
  gatherMs?: number;
  observer?: FacilitatorObserver;
  /** Told what went wrong on our side or the network's; the caller only hears that something did. */
  onError?: (error: unknown) => void;
};

/** Told what metrics are made of. */
export type FacilitatorObserver = {
  /** answer is a reason word where it is no success. */
  onAnswer?(kind: "verify" | "settle" | "refund", network: string, answer: Reason | "ok", durationMs: number): void;
  /** A transaction was sent that settles this many payments. */
  onBatch?(network: string, size: number): void;
};

/** The wire's answers, their reason one of ours. */
export type Verdict = Omit<VerifyResponse, "invalidReason"> & { invalidReason?: Reason };
export type Outcome = Omit<SettleResponse, "errorReason"> & { errorReason?: Reason };

/** Has the shape of the x402 libraries' facilitator client, so that it can be handed to them in process. */
export type Facilitator = {
  /** Recovers now and from time to time, until it is closed; never throws. */
  start(): void;
  /** Ends the recovering, and waits for the settlements under way. */
  close(): Promise<void>;
  getSupported(): SupportedResponse;
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict>;
  /** The answer that settled the payment is given once; when it is repeated, extra.replayed is true. */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Outcome>;
  /** Gives back what verify holds of the payer's balance, where the payment will not be settled. */
  release(payload: PaymentPayload, requirements: PaymentRequirements): void;
  /** Stable id of a payment, one per authorization; undefined where the payload is none we take. */
  findPaymentId(payload: PaymentPayload, requirements: PaymentRequirements): Hex | undefined;
  /**
   * Finishes the settlements that a crash interrupted and closes verified payments that expired. Call it at start;
   * calling it again later is harmless. Waits for as long as a settlement is waited for.
   */
  recover(): Promise<void>;
  /** Returns a settled payment; answered as a settlement of the payee's own payment. */
  refund(payment: Hex, payload: PaymentPayload): Promise<Outcome>;
  /** Payments by id, or by the transaction that settled them, after a look at the chain. Throws NetworkError. */
  findPayments(idOrTransaction: Hex): Promise<PaymentRecord[]>;
  /** Catalogued resources of every network, the latest updated first. */
  listResources(filter: DiscoveryFilter): Promise<DiscoveredResource[]>;
};

/** An interrupted settlement is picked up again when nobody touched it for this long. */
const sweepMs = 60_000;

const schemes: readonly Scheme[] = [exactScheme, uptoScheme];

type Desk = { network: SchemeNetwork; store: PaymentStore; ledger: Ledger; settler: Settler; nowMs: () => number };

/** Builds a facilitator for some networks. */
export function createFacilitator(options: FacilitatorOptions): Facilitator {
  const { holdMs = 20_000, maxGas = 1_000_000n, maxBatch = 50, gatherMs = 25, onError = () => undefined } = options;
  const { observer = {} } = options;
  const reservations = createReservations(Date.now, holdMs);

  async function reserve(network: SchemeNetwork, id: Hex, payment: Payment): Promise<void> {
    const { terms } = payment;
    if (reservations.sumOthers(id, terms) > 0n) {
      const balance = await network.reader.findValue(terms.asset, erc20Abi, "balanceOf", [terms.payer]);
      // Summed after the read: between here and hold nobody else gets a turn.
      const held = reservations.sumOthers(id, terms);
      if (balance !== undefined && balance < held + terms.amountUnits) {
        throw new PaymentError(
          "insufficient_funds",
          `The payer holds ${balance} units, ${held} of them for payments under way; this one needs ${terms.amountUnits}.`,
        );
      }
    }
    reservations.hold(id, terms);
  }

  function toDesk({
    caip2,
    chainId,
    request,
    tokens,
    contracts,
    accounts,
    store,
    relay,
    nowMs = Date.now,
  }: FacilitatorNetwork): Desk {
    const reader = createReader(request);
    const ledger = createLedger(caip2, store, nowMs);
    const hasMulticall = createCodeCheck(reader, contracts.multicall3);
    const toSender = (account: LocalAccount): Sender => {
      const relayer = createRelayer({ reader, chainId, account, ...options.relay, ...relay });
      const onBatch = (size: number) => observer.onBatch?.(caip2, size);
      const batcher = createBatcher({
        relayer,
        multicall3: contracts.multicall3,
        hasMulticall,
        begin: ledger.begin,
        maxBatch,
        gatherMs,
        onBatch,
      });
      return { relayer, batcher };
    };
    const [account, ...others] = accounts;
    const senders: [Sender, ...Sender[]] = [toSender(account), ...others.map(toSender)];
    const [first, ...rest] = senders;
    const network: SchemeNetwork = {
      caip2,
      chainId,
      tokens,
      contracts,
      reader,
      facilitators: [first.relayer.address, ...rest.map(({ relayer }) => relayer.address)],
      nowSeconds: () => Math.floor(nowMs() / 1000),
    };
    const settler = createSettler({
      reader,
      senders,
      ledger,
      reservations,
      reserve: (id, payment) => reserve(network, id, payment),
      nowMs,
      maxGas,
      onError,
    });
    return { network, store, ledger, settler, nowMs };
  }

  const desks = new Map<string, Desk>(options.networks.map((network) => [network.caip2, toDesk(network)]));

  function toPayment(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    purpose: "verify" | "settle",
  ): { desk: Desk; payment: Payment } {
    const scheme = schemes.find(({ name }) => name === requirements.scheme);
    if (!scheme) throw new PaymentError("unsupported_scheme");
    const desk = desks.get(requirements.network);
    if (!desk) throw new PaymentError("invalid_network");
    const payment = scheme.toPayment(desk.network, payload, requirements, purpose);
    const { tokens } = desk.network;
    if (!tokens.some(({ address }) => address.toLowerCase() === payment.terms.asset)) {
      const known = tokens.map(({ symbol, address }) => `${symbol} ${address}`).join(", ");
      throw new PaymentError("unsupported_asset", `Payments on ${desk.network.caip2} are settled in: ${known}.`);
    }
    return { desk, payment: { ...payment, identifier: findPaymentIdentifier(payload) } };
  }

  async function assertPayable({ network, ledger }: Desk, payment: Payment): Promise<void> {
    const { reader, facilitators } = network;
    const id = toPaymentId(payment.terms);
    const [known, { call }] = await Promise.all([
      ledger.find(id),
      payment.authorize(),
      ledger.assertIdentifier(id, payment),
    ]);
    if (known && isDone(known)) throw new PaymentError(payment.usedReason);
    const outcome = await reader.call({ ...call, from: payment.sender ?? facilitators[0] });
    if (!outcome.ok) throw await payment.explain(outcome.revert);
    await reserve(network, id, payment);
    await ledger.note(id, payment, "verified");
  }

  /** Every failure as a PaymentError; what is not the payment's fault is told to onError. */
  function toPaymentError(error: unknown, code: "unexpected_verify_error" | "unexpected_settle_error"): PaymentError {
    if (error instanceof PaymentError) return error;
    if (error instanceof WireError) return new PaymentError(error.reason, error.message);
    onError(error);
    const message = error instanceof NetworkError ? undefined : "The facilitator failed.";
    return new PaymentError("unexpected_error", message, { code });
  }

  const restore = (payload: PaymentPayload, requirements: PaymentRequirements): Payment =>
    toPayment(payload, requirements, "settle").payment;

  async function recover(staleMs: number): Promise<void> {
    await Promise.all([...desks.values()].map(({ settler }) => settler.recover(restore, staleMs)));
  }

  async function findRecord(payment: Hex): Promise<{ desk: Desk; record: PaymentRecord } | undefined> {
    for (const desk of desks.values()) {
      const record = await desk.ledger.find(payment);
      if (record) return { desk, record };
      const [only, another] = await desk.ledger.findByTransaction(payment);
      if (only && !another) return { desk, record: only };
    }
    return undefined;
  }

  async function settlePayment(desk: Desk, payment: Payment): Promise<Outcome> {
    const { id, transaction, units, first } = await desk.settler.settle(payment);
    return {
      success: true,
      payer: payment.terms.payer,
      transaction: transaction ?? "",
      network: desk.network.caip2,
      amount: String(units),
      extra: { paymentId: id, ...(!first && { replayed: true }) },
    };
  }

  /** Runs a settlement, turns what it throws into an answer and tells the observer. */
  async function answer(
    kind: "settle" | "refund",
    network: string,
    work: (note: (payment: Payment) => void) => Promise<Outcome>,
  ): Promise<Outcome> {
    const sinceMs = performance.now();
    let payment: Payment | undefined;
    let outcome: Outcome;
    try {
      outcome = await work((made) => {
        payment = made;
      });
    } catch (caught) {
      const error = toPaymentError(caught, "unexpected_settle_error");
      const { code } = error;
      const paymentId = payment && toPaymentId(payment.terms);
      outcome = {
        success: false,
        errorReason: error.reason,
        ...toMessage(error, "errorMessage"),
        ...(payment && { payer: payment.terms.payer }),
        transaction: error.transaction ?? "",
        network,
        ...((code || paymentId) && { extra: { ...(code && { code }), ...(paymentId && { paymentId }) } }),
      };
    }
    observer.onAnswer?.(kind, network, outcome.errorReason ?? "ok", performance.now() - sinceMs);
    return outcome;
  }

  let sweeper: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  return {
    start() {
      const sweep = async (staleMs: number) => {
        await recover(staleMs).catch(onError);
        if (isClosed) return;
        sweeper = setTimeout(() => void sweep(sweepMs), sweepMs);
        sweeper.unref();
      };
      void sweep(0);
    },

    async close() {
      isClosed = true;
      clearTimeout(sweeper);
      await Promise.all([...desks.values()].map(({ settler }) => settler.rest()));
    },

    getSupported() {
      const kinds = [...desks.values()].flatMap(({ network }) =>
        schemes.map((scheme) => {
          const extra = scheme.toKindExtra(network);
          const kind = { x402Version: 2 as const, scheme: scheme.name, network: network.caip2, schemeId: scheme.id };
          return extra ? { ...kind, extra } : kind;
        }),
      );
      const signers: Record<string, string[]> = {};
      for (const { network } of desks.values()) {
        signers[network.caip2] = [...network.facilitators];
        signers["eip155:*"] = [...new Set([...(signers["eip155:*"] ?? []), ...network.facilitators])];
      }
      return {
        kinds,
        schemes: schemes.map(({ id }) => id),
        extensions: [gasSponsoringKey, paymentIdentifierKey, bazaarKey],
        signers,
      };
    },

    async verify(payload, requirements) {
      const sinceMs = performance.now();
      let payer: Hex | undefined;
      let verdict: Verdict;
      try {
        const { desk, payment } = toPayment(payload, requirements, "verify");
        payer = payment.terms.payer;
        await assertPayable(desk, payment);
        verdict = { isValid: true, payer };
      } catch (caught) {
        const error = toPaymentError(caught, "unexpected_verify_error");
        verdict = {
          isValid: false,
          invalidReason: error.reason,
          ...toMessage(error, "invalidMessage"),
          ...(payer && { payer }),
          ...(error.code && { extra: { code: error.code } }),
        };
      }
      const { invalidReason = "ok" } = verdict;
      observer.onAnswer?.("verify", requirements.network, invalidReason, performance.now() - sinceMs);
      return verdict;
    },

    settle(payload, requirements) {
      return answer("settle", requirements.network, async (note) => {
        const { desk, payment } = toPayment(payload, requirements, "settle");
        note(payment);
        const outcome = await settlePayment(desk, payment);
        // The payment is settled, whatever becomes of the catalogue.
        const bazaar = await catalogue(desk.store, payload, requirements, payment.terms, desk.nowMs()).catch(
          (error) => {
            onError(error);
            return undefined;
          },
        );
        return bazaar ? { ...outcome, extensions: { [bazaarKey]: bazaar } } : outcome;
      });
    },

    refund(payment, payload) {
      const { network } = payload.accepted;
      return answer("refund", network, async (note) => {
        const found = await findRecord(payment);
        if (!found) throw new PaymentError("payment_not_found");
        const { desk, record } = found;
        const { payment: refund } = toPayment(payload, payload.accepted, "settle");
        assertRefund(record, refund);
        note(refund);
        const outcome = await settlePayment(desk, { ...refund, refundOf: record.id });
        // Had it been settled as an ordinary payment before, nothing would link it yet.
        const settled = await desk.ledger.find(toPaymentId(refund.terms));
        if (settled) await desk.ledger.noteRefund(settled, record.id);
        return { ...outcome, extra: { ...outcome.extra, refundOf: record.id } };
      });
    },

    async findPayments(idOrTransaction) {
      const found = await Promise.all(
        [...desks.values()].map(async ({ ledger, settler }) => {
          const record = await ledger.find(idOrTransaction);
          const records = record ? [record] : await ledger.findByTransaction(idOrTransaction);
          return Promise.all(records.map((each) => settler.look(each, restore)));
        }),
      );
      return found.flat();
    },

    async listResources(filter) {
      const lists = await Promise.all([...desks.values()].map(({ store }) => listResources(store, filter)));
      return lists.flat().sort((one, other) => (one.lastUpdated < other.lastUpdated ? 1 : -1));
    },

    release(payload, requirements) {
      const { terms } = toPayment(payload, requirements, "settle").payment;
      reservations.release(toPaymentId(terms), terms);
    },

    findPaymentId(payload, requirements) {
      try {
        return toPaymentId(toPayment(payload, requirements, "settle").payment.terms);
      } catch (error) {
        if (error instanceof PaymentError || error instanceof WireError) return undefined;
        throw error;
      }
    },

    recover: () => recover(0),
  };
}

/** Throws PaymentError where the refund is not the payee's own transfer of no more than was settled, for this payment. */
function assertRefund(record: PaymentRecord, { terms }: Payment): void {
  const refuse = (message: string) => new PaymentError("invalid_refund", message);
  if (!isDone(record)) throw new PaymentError("payment_not_settled");
  if (record.refundOf) throw refuse("The payment is a refund itself.");
  const settled = record.settledUnits ?? record.amountUnits;
  if (terms.scheme !== "exact") throw refuse("A refund is a payment of scheme exact.");
  if (terms.network !== record.network) throw refuse(`The payment was made on ${record.network}.`);
  if (terms.asset !== record.asset) throw refuse(`The payment was made in ${record.asset}.`);
  if (terms.payer !== record.payee) throw refuse(`Only the payee ${record.payee} can refund the payment.`);
  if (terms.payee !== record.payer) throw refuse(`The refund must go to the payer ${record.payer}.`);
  if (terms.chargeUnits === 0n || terms.chargeUnits > settled) {
    throw refuse(`The refund must be of 1 to ${settled} units.`);
  }
  const nonce = toRefundNonce(record.id);
  if (terms.nonce !== nonce) throw refuse(`The refund's nonce must be ${nonce}.`);
}

/** Code that stands at an address stays there: asked until it does. */
function createCodeCheck(reader: Reader, address: Hex): () => Promise<boolean> {
  let known = false;
  return async () => {
    known ||= await reader.hasCode(address);
    return known;
  };
}

/** The reference's resource server takes a missing allowance for a 412 only where no message stands beside it. */
function toMessage<Field extends string>(error: PaymentError, field: Field): Partial<Record<Field, string>> {
  if (error.reason === ("permit2_allowance_required" satisfies Reason)) return {};
  return { [field]: error.message } as Record<Field, string>;
}
