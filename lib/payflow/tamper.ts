/**
 * Creates payments with changed fields, for the failure lab and the playground's editor. The changed values are signed,
 * as they would be by a faulty client.
 */
import { toHighS } from "@/lib/payflow/signatureFacts";
import { abandonedProxy } from "@/lib/x402/rules/signedRules";
import { findChainId, signPayment } from "@/lib/x402/signPayment";
import type { TypedData } from "@/lib/x402/typedData";
import type { Eip3009Authorization, Hex, PaymentPayload, Permit2Authorization } from "@/lib/x402/types";

type Sign = typeof signPayment;

/**
 * The fields to change in a payment. The amount is in the token's smallest unit, and times are in seconds since the
 * epoch.
 */
export type PaymentEdits = {
  amount?: string;
  payee?: Hex;
  nonce?: Hex;
  validAfter?: string;
  validBefore?: string;
  /** Set validAfter and validBefore to this many seconds after the payment is signed. */
  validInSeconds?: number;
  expiresInSeconds?: number;
  /** Only used for Permit2. */
  spender?: Hex;
  domainName?: string;
  domainVersion?: string;
  chainId?: number;
  /** Replaces the signature that the wallet made. */
  signature?: Hex;
};

/** Signs a payment with these changes. */
export const signEdited =
  (given: PaymentEdits): Sign =>
  async (options) => {
    const { signer, onTypedData, nowMs } = options;
    const { validInSeconds, expiresInSeconds } = given;
    const edits: PaymentEdits = {
      ...given,
      ...(validInSeconds !== undefined && { validAfter: toSeconds(nowMs, validInSeconds) }),
      ...(expiresInSeconds !== undefined && { validBefore: toSeconds(nowMs, expiresInSeconds) }),
    };
    const payment = await signPayment({
      ...options,
      onTypedData: undefined,
      signer: {
        ...signer,
        signTypedData(data) {
          const signed = data.primaryType === "Permit" ? data : editData(data, edits);
          onTypedData?.(signed);
          return signer.signTypedData(signed);
        },
      },
    });
    return { ...payment, payload: editPayload(payment.payload, edits) };
  };

/** Removes fields whose value is undefined. */
function pickGiven<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

function editData(data: TypedData, edits: PaymentEdits): TypedData {
  const { domainName: name, domainVersion: version, chainId } = edits;
  const domain = { ...data.domain, ...pickGiven({ name, version, chainId }) };
  const message = data.message as { permitted?: object; witness?: object };
  const edited =
    message.permitted && message.witness
      ? editPermit(message as never, edits, BigInt)
      : { ...message, ...toAuthorizationEdits(edits, BigInt) };
  return { ...data, domain, message: edited };
}

function editPayload({ ...payload }: PaymentPayload["payload"], edits: PaymentEdits): PaymentPayload["payload"] {
  const { authorization, permit2Authorization } = payload as {
    authorization?: Eip3009Authorization;
    permit2Authorization?: Permit2Authorization;
  };
  return {
    ...payload,
    ...(authorization && { authorization: { ...authorization, ...toAuthorizationEdits(edits, String) } }),
    ...(permit2Authorization && { permit2Authorization: editPermit(permit2Authorization, edits, String) }),
    ...pickGiven({ signature: edits.signature }),
  };
}

/** Converts a number from text. Typed data needs numbers as bigints, but a payload has them as decimal text. */
type ToNumber = (value: string) => unknown;

function toAuthorizationEdits({ amount, payee, nonce, validAfter, validBefore }: PaymentEdits, toNumber: ToNumber) {
  return {
    ...pickGiven({ to: payee, nonce }),
    ...(amount !== undefined && { value: toNumber(amount) }),
    ...(validAfter !== undefined && { validAfter: toNumber(validAfter) }),
    ...(validBefore !== undefined && { validBefore: toNumber(validBefore) }),
  };
}

function editPermit<Permit extends Pick<Permit2Authorization, "permitted" | "witness">>(
  permit: Permit,
  { amount, payee, nonce, validAfter, validBefore, spender }: PaymentEdits,
  toNumber: ToNumber,
) {
  return {
    ...permit,
    ...pickGiven({ spender }),
    ...(nonce !== undefined && { nonce: toNumber(BigInt(nonce).toString()) }),
    ...(validBefore !== undefined && { deadline: toNumber(validBefore) }),
    permitted: { ...permit.permitted, ...(amount !== undefined && { amount: toNumber(amount) }) },
    witness: {
      ...permit.witness,
      ...pickGiven({ to: payee }),
      ...(validAfter !== undefined && { validAfter: toNumber(validAfter) }),
    },
  };
}

/** Signs with changes that depend on the requirement and the time. */
const signingWith =
  (toEdits: (options: Parameters<Sign>[0]) => PaymentEdits): Sign =>
  (options) =>
    signEdited(toEdits(options))(options);

const toSeconds = (nowMs: number, later: number) => String(Math.floor(nowMs / 1000) + later);

export const signWrongName = signEdited({ domainName: "USD Coin" });
export const signWrongPayee = (payee: Hex): Sign => signEdited({ payee });
export const signWrongChain = (network: string): Sign => signEdited({ chainId: findChainId(network) ?? 0 });
export const signOldProxy = signEdited({ spender: abandonedProxy });

export const signAmount = (more: bigint): Sign =>
  signingWith(({ requirement }) => ({ amount: (BigInt(requirement.amount) + more).toString() }));

/** Signs a payment that expired this many seconds ago. */
export const signExpired = (seconds: number): Sign => signEdited({ expiresInSeconds: -seconds });

/**
 * Client libraries before version 2.27 set validAfter this many seconds in the past, to allow for clock differences.
 */
export const graceSeconds = 600;

/** Signs like a client library before version 2.27, but with a clock that is this many seconds ahead. */
export const signAhead = (seconds: number): Sign => signEdited({ validInSeconds: seconds - graceSeconds });

export const signHighS: Sign = async (options) => {
  const payload = await signPayment(options);
  return { ...payload, payload: { ...payload.payload, signature: toHighS(payload.payload.signature as Hex) } };
};

/** Signs a payment and wraps it in a protocol version 1 envelope. */
export const signVersion1: Sign = async (options) => {
  const { payload, accepted } = await signPayment(options);
  const old = { x402Version: 1, scheme: accepted.scheme, network: accepted.network, payload };
  return old as never;
};

/** Omits the token permit that would replace the allowance. */
export const signUnsponsored: Sign = (options) => signPayment({ ...options, reads: undefined });
