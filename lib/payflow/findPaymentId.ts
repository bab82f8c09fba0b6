/**
 * Finds which payment a flow is about, from what was signed. Kept separate because it needs keccak, which a page that
 * only reads the ledger does not.
 */
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { toPaymentId } from "@/lib/x402/paymentId";
import type { Hex, PaymentPayload } from "@/lib/x402/types";

/** Id of the flow's payment; undefined before it is signed, or if its kind is unknown. */
export function findPaymentId(steps: readonly FlowStep[]): Hex | undefined {
  const payload = findStep(steps, "signature")?.payload;
  return payload && toIdOf(payload);
}

function toIdOf({ accepted, payload }: PaymentPayload): Hex | undefined {
  const { authorization, permit2Authorization } = payload as {
    authorization?: { from: Hex; nonce: Hex };
    permit2Authorization?: { from: Hex; nonce: string };
  };
  const payer = authorization?.from ?? permit2Authorization?.from;
  const nonce =
    authorization?.nonce ?? (permit2Authorization && (`0x${toWord(permit2Authorization.nonce)}` satisfies Hex));
  // A version 1 payment has no accepted requirement, and no ledger accepts it.
  if (!accepted || !payer || !nonce) return undefined;
  return toPaymentId({ network: accepted.network, asset: accepted.asset as Hex, payer, nonce });
}

function toWord(decimal: string): string {
  return BigInt(decimal).toString(16).padStart(64, "0");
}
