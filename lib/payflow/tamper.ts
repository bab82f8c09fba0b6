/**
 * Creates payments with exactly one fault each, for the failure lab only. As in a client with that fault, the faulty
 * values are signed, and the payment is sent with the accepted requirement.
 */
import { toHighS } from "@/lib/payflow/signatureFacts";
import { abandonedProxy } from "@/lib/x402/rules/signedRules";
import { signPayment } from "@/lib/x402/signPayment";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

type Sign = typeof signPayment;

/** Signs for a different requirement than the one the payment is sent with. */
function signingFor(change: (requirement: PaymentRequirements) => PaymentRequirements): Sign {
  return async (options) => {
    const payload = await signPayment({ ...options, requirement: change(options.requirement) });
    return { ...payload, accepted: options.requirement };
  };
}

const plus = (amount: string, more: bigint) => (BigInt(amount) + more).toString();

export const signWrongName = signingFor((requirement) => ({
  ...requirement,
  extra: { ...requirement.extra, name: "USD Coin" },
}));

export const signWrongPayee = (payee: Hex): Sign => signingFor((requirement) => ({ ...requirement, payTo: payee }));

export const signAmount = (more: bigint): Sign =>
  signingFor((requirement) => ({ ...requirement, amount: plus(requirement.amount, more) }));

export const signWrongChain = (network: string): Sign => signingFor((requirement) => ({ ...requirement, network }));

/** Signs a payment that expired this many seconds ago. */
export const signExpired = (seconds: number): Sign =>
  signingFor((requirement) => ({ ...requirement, maxTimeoutSeconds: -seconds }));

export const signOldProxy = signingFor((requirement) => ({
  ...requirement,
  extra: { ...requirement.extra, permit2ProxyAddress: abandonedProxy },
}));

/** Client libraries before 2.27 set validAfter this many seconds in the past, to allow for clock differences. */
export const graceSeconds = 600;

/** Signs like such a client, but with a clock that is this many seconds ahead. */
export const signAhead =
  (seconds: number): Sign =>
  async (options) => {
    const validAfter = String(Math.floor(options.nowMs / 1000) + seconds - graceSeconds);
    const { signer, onTypedData } = options;
    const payload = await signPayment({
      ...options,
      onTypedData: undefined,
      signer: {
        address: signer.address,
        signTypedData(data) {
          const late: TypedData = { ...data, message: { ...data.message, validAfter: BigInt(validAfter) } };
          onTypedData?.(late);
          return signer.signTypedData(late);
        },
      },
    });
    const { authorization } = payload.payload as { authorization: object };
    return { ...payload, payload: { ...payload.payload, authorization: { ...authorization, validAfter } } };
  };

export const signHighS: Sign = async (options) => {
  const payload = await signPayment(options);
  return { ...payload, payload: { ...payload.payload, signature: toHighS(payload.payload.signature as Hex) } };
};

/** A protocol version 1 envelope around the same signature. */
export const signVersion1: Sign = async (options) => {
  const { payload, accepted } = await signPayment(options);
  const old = { x402Version: 1, scheme: accepted.scheme, network: accepted.network, payload };
  return old as never;
};

/** Omits the token permit that would replace the allowance. */
export const signUnsponsored: Sign = (options) => signPayment({ ...options, reads: undefined });
