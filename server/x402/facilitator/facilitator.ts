/**
 * The facilitator: lists the kinds of payments it supports, verifies payments and settles them. It reaches both
 * embedded and remote chains through EIP-1193. Rejections are returned, never thrown.
 */

import { getAddress } from "viem";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { isWireError } from "@/lib/x402/wireError";
import type { PaymentRecord } from "@/server/ports/store";
import { checkPayment } from "@/server/x402/facilitator/checkPayment";
import { type Caller, collect, collectSettlement, findUncollected } from "@/server/x402/facilitator/collectSettlement";
import {
  bazaarKey,
  catalog,
  type DiscoveredPage,
  type DiscoveryFilter,
  listResources,
} from "@/server/x402/facilitator/discovery";
import { recordPayment, recordRefund } from "@/server/x402/facilitator/ledger";
import {
  closeNetworkFacilitator,
  createNetworkFacilitator,
  type FacilitatorNetwork,
  type FacilitatorSettings,
  type NetworkFacilitator,
} from "@/server/x402/facilitator/networkFacilitator";
import {
  type AnswerContext,
  answerSettle,
  answerVerify,
  type FacilitatorObserver,
  type Outcome,
  type Verdict,
} from "@/server/x402/facilitator/outcome";
import { type FacilitatorPayment, toPayment } from "@/server/x402/facilitator/payment";
import { assertRefund } from "@/server/x402/facilitator/refund";
import type { Settlement } from "@/server/x402/facilitator/settlement";
import { recover, refresh, settle } from "@/server/x402/facilitator/settler";
import { forgetIdle } from "@/server/x402/facilitator/spending";
import { getScheme, toSupported } from "@/server/x402/facilitator/supported";
import { isPaymentError, PaymentError } from "@/server/x402/reads/error";

export type FacilitatorOptions = Partial<Omit<FacilitatorSettings, "onBatch">> & {
  networks: readonly FacilitatorNetwork[];
  observer?: FacilitatorObserver;
};

/** Has the same shape as the facilitator client in the x402 libraries, so it can be passed to them in process. */
export type Facilitator = ReturnType<typeof createFacilitator>;

type Networks = ReadonlyMap<string, NetworkFacilitator>;
type State = AnswerContext & { networks: Networks };

/** An interrupted settlement is resumed if its record has not changed for this long. */
const sweepMs = 60_000;

export function createFacilitator(options: FacilitatorOptions) {
  const { networks: opened, observer = {}, onError = () => undefined, ...limits } = options;
  const settings: FacilitatorSettings = {
    maxGas: 1_000_000n,
    maxBatch: 50,
    gatherMs: 25,
    closeMs: 1_000,
    ...limits,
    onError,
    onBatch: (network, size) => observer.onBatch?.(network, size),
  };
  const networks: Networks = new Map(
    opened.map((network) => [network.caip2, createNetworkFacilitator(network, settings)]),
  );
  const all = [...networks.values()];
  const listUsed = () => all.filter(({ isUsed }) => isUsed());
  const state: State = { networks, observer, onError };
  let sweeper: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const recoverAll = async (staleMs = 0): Promise<void> => {
    await Promise.all(listUsed().map((network) => recover(network, staleMs)));
  };
  const sweep = async (staleMs?: number): Promise<void> => {
    await recoverAll(staleMs).catch(onError);
    if (isClosed) return;
    await Promise.all(listUsed().map(({ spending }) => forgetIdle(spending))).catch(onError);
    if (!isClosed) sweeper = setTimeout(sweep, sweepMs, sweepMs).unref();
  };
  return {
    /** Runs the recovery immediately and then periodically, until the facilitator is closed. Never throws. */
    start: (): void => void sweep(),
    /** Stops recovering and waits for settlements in progress, but not for a network that doesn't respond. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(sweeper);
      await Promise.all(all.map(closeNetworkFacilitator));
    },
    /**
     * Finishes settlements that a crash interrupted, and marks unsettled payments as expired if their authorization has
     * ended. Call it at startup. Calling it again is harmless. It can take as long as a settlement.
     */
    recover: () => recoverAll(),
    getSupported: () => toSupported(all.map(({ spending, network }) => ({ ...network, policy: spending.policy }))),
    verify: (payload: PaymentPayload, requirements: PaymentRequirements) => verifyPayment(state, payload, requirements),
    /**
     * Settles a payment and reports its success to only one caller. If that caller repeats its `idempotencyKey`, it
     * gets the success again. See collectSettlement.ts.
     */
    settle: (payload: PaymentPayload, requirements: PaymentRequirements, caller?: Caller) =>
      settlePayment(state, payload, requirements, caller),
    /**
     * Refunds a settled payment: settles `payload`, a payment back to the payer that the payee signed. Returns the
     * outcome of that settlement.
     */
    refund: (payment: Hex, payload: PaymentPayload) => refundPayment(state, payment, payload),
    /** Releases the balance that `verify` reserved. Call it if the payment won't be settled. */
    release(payload: PaymentPayload, requirements: PaymentRequirements): void {
      const { facilitator, payment } = toNetworkPayment(networks, payload, requirements, "settle");
      facilitator.reservations.release(payment);
    },
    /**
     * Returns a payment's stable ID, which depends only on its authorization; undefined if the payload isn't supported.
     */
    findPaymentId: (payload: PaymentPayload, requirements: PaymentRequirements) =>
      findPaymentId(networks, payload, requirements),
    /**
     * Finds payments by ID or by the transaction that settled them, and updates their state from the chain. Throws
     * NetworkError.
     */
    async findPayments(idOrTransaction: Hex): Promise<PaymentRecord[]> {
      const found = listUsed().map(async (facilitator) => {
        const records = await findRecords(facilitator, idOrTransaction);
        return Promise.all(records.map((record) => refresh(facilitator, record)));
      });
      return (await Promise.all(found)).flat();
    },
    /** Lists cataloged resources on every network, most recently updated first. */
    listResources(filter: DiscoveryFilter, page: { offset: number; limit: number }): Promise<DiscoveredPage> {
      const stores = listUsed().map(({ network, ledger }) => ({ caip2: network.caip2, store: ledger.store }));
      return listResources(stores, filter, page);
    },
  };
}

/** Throws PaymentError or WireError. */
function toNetworkPayment(
  networks: Networks,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  purpose: "verify" | "settle",
): { facilitator: NetworkFacilitator; payment: FacilitatorPayment } {
  // If both the scheme and the network are unknown, the scheme is reported.
  getScheme(requirements.scheme);
  const facilitator = networks.get(requirements.network);
  if (!facilitator) throw new PaymentError("invalid_network");
  return { facilitator, payment: toPayment(facilitator.network, payload, requirements, purpose) };
}

function verifyPayment(state: State, payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict> {
  return answerVerify(state, requirements.network, async (onPayment) => {
    const { facilitator, payment } = toNetworkPayment(state.networks, payload, requirements, "verify");
    onPayment(payment);
    const uncollected = await findUncollected(facilitator, payment);
    if (uncollected) return uncollected;
    await checkPayment(facilitator, payment, "verify");
    await recordPayment(facilitator.ledger, payment, "verified").catch((error) => {
      facilitator.reservations.release(payment);
      throw error;
    });
    return undefined;
  });
}

function settlePayment(
  state: State,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  caller: Caller = {},
): Promise<Outcome> {
  return answerSettle(state, "settle", requirements.network, async (onPayment) => {
    const { facilitator, payment } = toNetworkPayment(state.networks, payload, requirements, "settle");
    onPayment(payment);
    const settled = await collectSettlement(facilitator, payment, caller, requirements.maxTimeoutSeconds);
    const outcome = toOutcome(settled);
    const { store } = facilitator.ledger;
    // A cataloging error doesn't affect the settlement. A payment without a transaction moved no money, so it isn't
    // cataloged.
    const bazaar = settled.transaction && (await catalog(store, requirements, payment).catch(state.onError));
    return bazaar ? { ...outcome, extensions: { [bazaarKey]: bazaar } } : outcome;
  });
}

function refundPayment(state: State, id: Hex, payload: PaymentPayload): Promise<Outcome> {
  return answerSettle(state, "refund", payload.accepted.network, async (onPayment) => {
    const record = await findOriginal(state.networks, id);
    if (!record) throw new PaymentError("payment_not_found");
    const { facilitator, payment } = toNetworkPayment(state.networks, payload, payload.accepted, "settle");
    assertRefund(record, payment);
    onPayment(payment);
    const outcome = toOutcome(await settle(facilitator, { ...payment, refundOf: record.id }));
    // A refund's success may be reported repeatedly, because it doesn't pay for anything.
    await collect(facilitator, payment.id);
    // If the refund was settled earlier as an ordinary payment, it isn't linked to the original payment yet, so this
    // links it.
    const settled = await facilitator.ledger.store.findPayment(payment.id);
    if (settled) await recordRefund(facilitator.ledger, settled, record.id);
    return { ...outcome, extra: { ...outcome.extra, refundOf: record.id } };
  });
}

function toOutcome({ payment: { id, terms }, transaction, units }: Settlement<"settled">): Outcome {
  const { payer, network } = terms;
  return {
    success: true,
    payer: getAddress(payer),
    transaction: transaction ?? "",
    network,
    amount: String(units),
    extra: { paymentId: id },
  };
}

async function findRecords({ ledger: { store } }: NetworkFacilitator, idOrTransaction: Hex): Promise<PaymentRecord[]> {
  const record = await store.findPayment(idOrTransaction);
  return record ? [record] : store.findPaymentByTransaction(idOrTransaction);
}

/**
 * Finds the payment to refund. Returns undefined unless the ID or transaction hash matches exactly one payment on a
 * network.
 */
async function findOriginal(networks: Networks, idOrTransaction: Hex): Promise<PaymentRecord | undefined> {
  for (const facilitator of networks.values()) {
    if (!facilitator.isUsed()) continue;
    const [only, another] = await findRecords(facilitator, idOrTransaction);
    if (only && !another) return only;
  }
  return undefined;
}

function findPaymentId(
  networks: Networks,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
): Hex | undefined {
  try {
    return toNetworkPayment(networks, payload, requirements, "settle").payment.id;
  } catch (error) {
    if (isPaymentError(error) || isWireError(error)) return undefined;
    throw error;
  }
}
