/**
 * The facilitator: says which payments it takes, whether one is good, and settles it. Knows networks by their EIP-1193
 * request function alone, so the embedded chain and a public one are the same to it. Verdicts are answers, never throws.
 */
import type { LocalAccount } from "viem";
import type { Token } from "@/lib/networks";
import type { Reason } from "@/lib/x402/reason";
import type {
  Hex,
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from "@/lib/x402/types";
import { WireError } from "@/lib/x402/wire";
import type { PaymentStore } from "@/server/storage/port";
import { erc20Abi } from "@/server/x402/abi";
import { PaymentError } from "@/server/x402/error";
import { gasSponsoringKey } from "@/server/x402/gasSponsoring";
import { type Eip1193Request, NetworkError } from "@/server/x402/jsonRpcError";
import { createLedger, type Ledger, toPaymentId } from "@/server/x402/ledger";
import { createReader } from "@/server/x402/reader";
import { createRelayer, type RelayerOptions } from "@/server/x402/relayer";
import { createReservations } from "@/server/x402/reservations";
import type { Payment, Scheme, SchemeNetwork } from "@/server/x402/scheme";
import { exactScheme } from "@/server/x402/schemes/v2-eip155-exact/scheme";
import { uptoScheme } from "@/server/x402/schemes/v2-eip155-upto/scheme";
import { createSettler, type Settler } from "@/server/x402/settler";

export type FacilitatorNetwork = {
  /** "eip155:10143" */
  caip2: string;
  chainId: number;
  request: Eip1193Request;
  tokens: readonly Token[];
  /** Sends the settlements and pays their gas. */
  account: LocalAccount;
  store: PaymentStore;
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
  /** Told what went wrong on our side or the network's; the caller only hears that something did. */
  onError?: (error: unknown) => void;
};

/** The wire's answers, their reason one of ours. */
export type Verdict = Omit<VerifyResponse, "invalidReason"> & { invalidReason?: Reason };
export type Outcome = Omit<SettleResponse, "errorReason"> & { errorReason?: Reason };

/** Has the shape of the x402 libraries' facilitator client, so that it can be handed to them in process. */
export type Facilitator = {
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
};

const schemes: readonly Scheme[] = [exactScheme, uptoScheme];

type Desk = { network: SchemeNetwork; ledger: Ledger; settler: Settler };

/** Builds a facilitator for some networks. */
export function createFacilitator(options: FacilitatorOptions): Facilitator {
  const { holdMs = 20_000, maxGas = 1_000_000n, onError = () => undefined } = options;
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

  const desks = new Map<string, Desk>(
    options.networks.map(({ caip2, chainId, request, tokens, account, store, nowMs = Date.now }) => {
      const reader = createReader(request);
      const relayer = createRelayer({ reader, chainId, account, ...options.relay });
      const nowSeconds = () => Math.floor(nowMs() / 1000);
      const network: SchemeNetwork = { caip2, chainId, tokens, reader, facilitator: relayer.address, nowSeconds };
      const ledger = createLedger(caip2, store, nowMs);
      const settler = createSettler({
        reader,
        relayer,
        ledger,
        reservations,
        reserve: (id, payment) => reserve(network, id, payment),
        nowMs,
        maxGas,
        onError,
      });
      return [caip2, { network, ledger, settler }];
    }),
  );

  function toPayment(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    purpose: "verify" | "settle",
  ): { desk: Desk; payment: Payment } {
    const scheme = schemes.find(({ name }) => name === requirements.scheme);
    if (!scheme) throw new PaymentError("unsupported_scheme");
    const desk = desks.get(requirements.network);
    if (!desk) throw new PaymentError("invalid_network");
    return { desk, payment: scheme.toPayment(desk.network, payload, requirements, purpose) };
  }

  async function assertPayable({ network, ledger }: Desk, payment: Payment): Promise<void> {
    const { reader, facilitator } = network;
    const id = toPaymentId(payment.terms);
    const [known, call] = await Promise.all([ledger.find(id), payment.authorize()]);
    if (known?.state === "settled") throw new PaymentError(payment.usedReason);
    const outcome = await reader.call({ ...call, from: facilitator });
    if (!outcome.ok) throw await payment.explain(outcome.revert);
    await reserve(network, id, payment);
    await ledger.noteVerified(id, payment);
  }

  /** Every failure as a PaymentError; what is not the payment's fault is told to onError. */
  function toPaymentError(error: unknown, code: "unexpected_verify_error" | "unexpected_settle_error"): PaymentError {
    if (error instanceof PaymentError) return error;
    if (error instanceof WireError) return new PaymentError(error.reason, error.message);
    onError(error);
    const message = error instanceof NetworkError ? undefined : "The facilitator failed.";
    return new PaymentError("unexpected_error", message, { code });
  }

  return {
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
        signers[network.caip2] = [network.facilitator];
        signers["eip155:*"] = [...new Set([...(signers["eip155:*"] ?? []), network.facilitator])];
      }
      return { kinds, schemes: schemes.map(({ id }) => id), extensions: [gasSponsoringKey], signers };
    },

    async verify(payload, requirements) {
      let payer: Hex | undefined;
      try {
        const { desk, payment } = toPayment(payload, requirements, "verify");
        payer = payment.terms.payer;
        await assertPayable(desk, payment);
        return { isValid: true, payer };
      } catch (caught) {
        const error = toPaymentError(caught, "unexpected_verify_error");
        return {
          isValid: false,
          invalidReason: error.reason,
          ...toMessage(error, "invalidMessage"),
          ...(payer && { payer }),
          ...toExtra(error),
        };
      }
    },

    async settle(payload, requirements) {
      let payer: Hex | undefined;
      const { network } = requirements;
      try {
        const { desk, payment } = toPayment(payload, requirements, "settle");
        payer = payment.terms.payer;
        const { transaction, units, first } = await desk.settler.settle(payment);
        const answer = { success: true, payer, transaction: transaction ?? "", network, amount: String(units) };
        return first ? answer : { ...answer, extra: { replayed: true } };
      } catch (caught) {
        const error = toPaymentError(caught, "unexpected_settle_error");
        return {
          success: false,
          errorReason: error.reason,
          ...toMessage(error, "errorMessage"),
          ...(payer && { payer }),
          transaction: error.transaction ?? "",
          network,
          ...toExtra(error),
        };
      }
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

    async recover() {
      await Promise.all(
        [...desks.values()].map(({ settler }) =>
          settler.recover((payload, requirements) => toPayment(payload, requirements, "settle").payment),
        ),
      );
    },
  };
}

/** The reference's resource server takes a missing allowance for a 412 only where no message stands beside it. */
function toMessage<Field extends string>(error: PaymentError, field: Field): Partial<Record<Field, string>> {
  if (error.reason === ("permit2_allowance_required" satisfies Reason)) return {};
  return { [field]: error.message } as Record<Field, string>;
}

function toExtra({ code }: PaymentError): { extra?: { code: string } } {
  return code ? { extra: { code } } : {};
}
