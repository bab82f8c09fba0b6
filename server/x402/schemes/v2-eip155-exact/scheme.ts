/**
 * The exact scheme: the payer authorises precisely the required amount.
 */
import { PaymentError } from "@/server/x402/error";
import type { Scheme } from "@/server/x402/scheme";
import { toEip3009Payment } from "@/server/x402/schemes/v2-eip155-exact/eip3009";

export const exactScheme: Scheme = {
  id: "v2-eip155-exact",
  name: "exact",
  toKindExtra: () => undefined,
  toPayment(network, payload, requirements) {
    const wanted = requirements.extra?.assetTransferMethod ?? "eip3009";
    const given = "permit2Authorization" in payload.payload ? "permit2" : "eip3009";
    if (wanted !== given || given !== "eip3009") throw new PaymentError("unsupported_payload_type");
    return toEip3009Payment(network, payload, requirements);
  },
};
