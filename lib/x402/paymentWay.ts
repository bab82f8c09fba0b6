/** Describes how a price is paid: the scheme, and the way the tokens move. */
import type { PaymentRequirements } from "@/lib/x402/types";

export function toPaymentWay({ scheme, extra }: Pick<PaymentRequirements, "scheme" | "extra">): {
  name: string;
  text: string;
} {
  if (scheme === "upto") {
    return { name: "upto, Permit2", text: "You authorize a maximum with Permit2 and pay only for what you use." };
  }
  return extra?.assetTransferMethod === "permit2"
    ? { name: "exact, Permit2", text: "You sign a Permit2 transfer. The facilitator pays the gas." }
    : { name: "exact, EIP-3009", text: "You sign a transfer. The facilitator pays the gas." };
}
