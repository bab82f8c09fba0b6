/**
 * The facilitator: lists the payments it supports, verifies payments and settles them. It reaches networks only through
 * their EIP-1193 request function, so the embedded chain and a public one are treated alike. Verdicts are returned,
 * never thrown.
 */
import type { Hex, PaymentPayload, PaymentRequirements, SupportedResponse } from "@/lib/x402/types";
import { WireError } from "@/lib/x402/wire";
import type { PaymentRecord } from "@/server/ports/store";
import { assertSettles } from "@/server/x402/facilitator/assertSettles";
import {
  bazaarKey,
  catalogue,
  type DiscoveredResource,
  type DiscoveryFilter,
  listResources,
} from "@/server/x402/facilitator/discovery";
import { isDone, toPaymentId } from "@/server/x402/facilitator/ledger";
import {
  createNetworkFacilitator,
  type FacilitatorNetwork,
  type NetworkFacilitator,
  type NetworkFacilitatorOptions,
} from "@/server/x402/facilitator/networkFacilitator";
import {
  createAnswerer,
  type FacilitatorObserver,
  type Outcome,
  type Verdict,
} from "@/server/x402/facilitator/outcome";
import { findPaymentIdentifier } from "@/server/x402/facilitator/paymentIdentifier";
import { assertRefund } from "@/server/x402/facilitator/refund";
import type { RelayerOptions } from "@/server/x402/facilitator/relayer";
import { createReservations } from "@/server/x402/facilitator/reservations";
import { schemes, toSupported } from "@/server/x402/facilitator/supported";
import { PaymentError } from "@/server/x402/reads/error";
import type { Payment } from "@/server/x402/schemes/scheme";

export type FacilitatorOptions = {
  networks: readonly FacilitatorNetwork[];
  /** How long a verified payment reserves its amount of the payer's balance. */
  holdMs?: number;
  /** Maximum gas for a settlement; one that needs more is refused. */
  maxGas?: bigint;
  relay?: Pick<RelayerOptions, "waitMs" | "pollMs">;
  /** Maximum number of payments in one transaction; 1 sends each alone. */
  maxBatch?: number;
  /** How long a settlement may wait for others while a transaction is in flight. */
  gatherMs?: number;
  /** How long close waits for settlements in progress before leaving the rest to the next start. */
  closeMs?: number;
  observer?: FacilitatorObserver;
  /** Receives errors on our side or the network's; the caller only learns that something failed. */
  onError?: (error: unknown) => void;
};

/** Has the same shape as the x402 libraries' facilitator client, so it can be passed to them in process. */
export type Facilitator = {
  /** Recovers immediately and then periodically until it is closed; never throws. */
  start(): void;
  /** Stops recovering and waits for settlements in progress, but not for a network that stays silent. */
  close(): Promise<void>;
  getSupported(): SupportedResponse;
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict>;
  /** Only one answer reports the payment as newly settled; a repeated one has extra.replayed set to true. */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Outcome>;
  /** Releases the balance that verify reserved, if the payment will not be settled. */
  release(payload: PaymentPayload, requirements: PaymentRequirements): void;
  /** Stable id of a payment, one per authorization; undefined if the payload is not supported. */
  findPaymentId(payload: PaymentPayload, requirements: PaymentRequirements): Hex | undefined;
  /**
   * Finishes settlements that a crash interrupted and closes verified payments that expired. Call it at startup;
   * calling it again later is harmless. It can take as long as a settlement may.
   */
  recover(): Promise<void>;
  /** Refunds a settled payment; the answer is the settlement of the payee's own payment. */
  refund(payment: Hex, payload: PaymentPayload): Promise<Outcome>;
  /** Finds payments by id, or by the transaction that settled them, after checking the chain. Throws NetworkError. */
  findPayments(idOrTransaction: Hex): Promise<PaymentRecord[]>;
  /** Cataloged resources of every network, most recently updated first. */
  listResources(filter: DiscoveryFilter): Promise<DiscoveredResource[]>;
};

/** An interrupted settlement is resumed once its record has not changed for this long. */
const sweepMs = 60_000;

/** Builds a facilitator for some networks. */
export function createFacilitator(options: FacilitatorOptions): Facilitator {
  const {
    holdMs = 20_000,
    maxGas = 1_000_000n,
    maxBatch = 50,
    gatherMs = 25,
    closeMs = 3_000,
    onError = () => undefined,
  } = options;
  const { observer = {} } = options;
  const answer = createAnswerer(observer, onError);
  const reservations = createReservations(Date.now, holdMs);

  const shared: NetworkFacilitatorOptions = {
    reservations,
    holdMs,
    relay: options.relay,
    maxGas,
    maxBatch,
    gatherMs,
    closeMs,
    onBatch: (network, size) => observer.onBatch?.(network, size),
    onError,
  };
  const networkFacilitators = new Map(
    options.networks.map((network): [string, NetworkFacilitator] => [
      network.caip2,
      createNetworkFacilitator(network, shared),
    ]),
  );

  function toPayment(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    purpose: "verify" | "settle",
  ): { networkFacilitator: NetworkFacilitator; payment: Payment } {
    const scheme = schemes.find(({ name }) => name === requirements.scheme);
    if (!scheme) throw new PaymentError("unsupported_scheme");
    const networkFacilitator = networkFacilitators.get(requirements.network);
    if (!networkFacilitator) throw new PaymentError("invalid_network");
    const payment = scheme.toPayment(networkFacilitator.network, payload, requirements, purpose);
    const { tokens } = networkFacilitator.network;
    if (!tokens.some(({ address }) => address.toLowerCase() === payment.terms.asset)) {
      const known = tokens.map(({ symbol, address }) => `${symbol} ${address}`).join(", ");
      throw new PaymentError(
        "unsupported_asset",
        `Payments on ${networkFacilitator.network.caip2} are settled in: ${known}.`,
      );
    }
    return { networkFacilitator, payment: { ...payment, identifier: findPaymentIdentifier(payload) } };
  }

  async function assertPayable(
    { network, ledger, reserve, simulations }: NetworkFacilitator,
    payment: Payment,
  ): Promise<void> {
    const { reader, facilitators } = network;
    const id = toPaymentId(payment.terms);
    const [known, authorization] = await Promise.all([
      ledger.find(id),
      payment.authorize(),
      ledger.assertIdentifier(id, payment),
    ]);
    if (known && isDone(known)) throw new PaymentError(payment.usedReason);
    const from = payment.sender ?? facilitators[0];
    if (authorization.approval) await assertSettles(reader, payment, authorization, from);
    else await simulations.run(payment, authorization, from, "remember");
    await reserve(id, payment);
    await ledger.record(id, payment, "verified");
  }

  const restore = (payload: PaymentPayload, requirements: PaymentRequirements): Payment =>
    toPayment(payload, requirements, "settle").payment;

  async function recover(staleMs: number): Promise<void> {
    await Promise.all([...networkFacilitators.values()].map(({ settler }) => settler.recover(restore, staleMs)));
  }

  async function findRecord(
    payment: Hex,
  ): Promise<{ networkFacilitator: NetworkFacilitator; record: PaymentRecord } | undefined> {
    for (const networkFacilitator of networkFacilitators.values()) {
      const record = await networkFacilitator.ledger.find(payment);
      if (record) return { networkFacilitator, record };
      const [only, another] = await networkFacilitator.ledger.findByTransaction(payment);
      if (only && !another) return { networkFacilitator, record: only };
    }
    return undefined;
  }

  async function settlePayment(networkFacilitator: NetworkFacilitator, payment: Payment): Promise<Outcome> {
    const { id, transaction, units, first } = await networkFacilitator.settler.settle(payment);
    return {
      success: true,
      payer: payment.terms.payer,
      transaction: transaction ?? "",
      network: networkFacilitator.network.caip2,
      amount: String(units),
      extra: { paymentId: id, ...(!first && { replayed: true }) },
    };
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
      await Promise.all([...networkFacilitators.values()].map((networkFacilitator) => networkFacilitator.close()));
    },

    getSupported: () => toSupported([...networkFacilitators.values()].map(({ network }) => network)),

    async verify(payload, requirements) {
      return answer.verify(requirements.network, async (onPayment) => {
        const { networkFacilitator, payment } = toPayment(payload, requirements, "verify");
        onPayment(payment);
        await assertPayable(networkFacilitator, payment);
      });
    },

    settle(payload, requirements) {
      return answer.settle("settle", requirements.network, async (onPayment) => {
        const { networkFacilitator, payment } = toPayment(payload, requirements, "settle");
        onPayment(payment);
        const outcome = await settlePayment(networkFacilitator, payment);
        // The payment is settled even if cataloging fails.
        const bazaar = await catalogue(
          networkFacilitator.store,
          payload,
          requirements,
          payment.terms,
          networkFacilitator.nowMs(),
        ).catch((error) => {
          onError(error);
          return undefined;
        });
        return bazaar ? { ...outcome, extensions: { [bazaarKey]: bazaar } } : outcome;
      });
    },

    refund(payment, payload) {
      const { network } = payload.accepted;
      return answer.settle("refund", network, async (onPayment) => {
        const found = await findRecord(payment);
        if (!found) throw new PaymentError("payment_not_found");
        const { networkFacilitator, record } = found;
        const { payment: refund } = toPayment(payload, payload.accepted, "settle");
        assertRefund(record, refund);
        onPayment(refund);
        const outcome = await settlePayment(networkFacilitator, { ...refund, refundOf: record.id });
        // If it was settled as an ordinary payment before, it is not linked to the original yet.
        const settled = await networkFacilitator.ledger.find(toPaymentId(refund.terms));
        if (settled) await networkFacilitator.ledger.recordRefund(settled, record.id);
        return { ...outcome, extra: { ...outcome.extra, refundOf: record.id } };
      });
    },

    async findPayments(idOrTransaction) {
      const found = await Promise.all(
        [...networkFacilitators.values()].map(async ({ ledger, settler }) => {
          const record = await ledger.find(idOrTransaction);
          const records = record ? [record] : await ledger.findByTransaction(idOrTransaction);
          return Promise.all(records.map((each) => settler.refresh(each, restore)));
        }),
      );
      return found.flat();
    },

    async listResources(filter) {
      const lists = await Promise.all(
        [...networkFacilitators.values()].map(({ store }) => listResources(store, filter)),
      );
      return lists.flat().sort((one, other) => (one.lastUpdated < other.lastUpdated ? 1 : -1));
    },

    release(payload, requirements) {
      const { networkFacilitator, payment } = toPayment(payload, requirements, "settle");
      networkFacilitator.release(toPaymentId(payment.terms), payment);
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
