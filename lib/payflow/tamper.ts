/**
 * Payments that are wrong in one way each, made as a real client with that fault makes them: signed for real, over what
 * the fault says, and sent under the requirement that was accepted. In the failure lab alone.
 */
import { toHighS } from "@/lib/payflow/signatureFacts";
import { signPayment } from "@/lib/x402/signPayment";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";

type Sign = typeof signPayment;

/** The proxy that client libraries 2.9 to 2.11 signed for; it was never deployed to stay. */
const abandonedProxy = "0x402039b3d6e6bec5a02c2c9fd937ac17a6940002";

/** Signs for another requirement than the one it is sent with. */
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

/** Expired for this many seconds. */
export const signExpired = (seconds: number): Sign =>
  signingFor((requirement) => ({ ...requirement, maxTimeoutSeconds: -seconds }));

export const signOldProxy = signingFor((requirement) => ({
  ...requirement,
  extra: { ...requirement.extra, permit2ProxyAddress: abandonedProxy },
}));

/** Client libraries before 2.27 let a payment begin this long before now, so that clocks may differ. */
export const graceSeconds = 600;

/** As by such a client whose clock is ahead by so many seconds. */
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

/** The envelope of protocol version 1 around the same signature. */
export const signVersion1: Sign = async (options) => {
  const { payload, accepted } = await signPayment(options);
  const old = { x402Version: 1, scheme: accepted.scheme, network: accepted.network, payload };
  return old as unknown as PaymentPayload;
};

/** Without the token permit that would stand in for the allowance. */
export const signUnsponsored: Sign = (options) => signPayment({ ...options, reads: undefined });
