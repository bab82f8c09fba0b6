/** How a payer can sign for a token: "EIP-3009, Permit2". The facilitator only accepts configured tokens. */
import { useNetwork } from "@/components/layout/NetworkContext";
import { findToken } from "@/lib/networks";

export const paymentMethodsHint = "What the facilitator accepts for payments in this token";

export function PaymentMethods({ token }: { token: string }) {
  const known = findToken(useNetwork(), token);
  if (!known) return <span className="text-ink-3">Not accepted</span>;
  return known.eip3009 ? "EIP-3009, Permit2" : "Permit2";
}
