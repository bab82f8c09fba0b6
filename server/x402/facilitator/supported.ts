/** The supported schemes and the response to GET /supported. Every scheme is supported on every network. */
import type { SupportedResponse } from "@/lib/x402/types";
import { builderCodeKey } from "@/server/x402/facilitator/builderCode";
import { bazaarKey } from "@/server/x402/facilitator/discovery";
import { paymentIdentifierKey } from "@/server/x402/facilitator/paymentIdentifier";
import { type SpendingPolicy, toPublicPolicy } from "@/server/x402/facilitator/spending";
import { PaymentError } from "@/server/x402/reads/error";
import type { Scheme, SchemeNetwork } from "@/server/x402/schemes/scheme";
import { approvalSponsoringKey, gasSponsoringKey } from "@/server/x402/schemes/sponsoringDeclarations";
import { exactScheme } from "@/server/x402/schemes/v2-eip155-exact/scheme";
import { uptoScheme } from "@/server/x402/schemes/v2-eip155-upto/scheme";

const schemes: readonly Scheme[] = [exactScheme, uptoScheme];

/** Throws PaymentError. */
export function getScheme(name: string): Scheme {
  const scheme = schemes.find((each) => each.name === name);
  if (!scheme) throw new PaymentError("unsupported_scheme");
  return scheme;
}

/** Returns the kinds, extensions and signers for the given networks. */
export function toSupported(networks: readonly (SchemeNetwork & { policy: SpendingPolicy })[]): SupportedResponse {
  const kinds = networks.flatMap((network) =>
    schemes.map((scheme) => ({
      x402Version: 2 as const,
      scheme: scheme.name,
      network: network.caip2,
      schemeId: scheme.id,
      extra: { ...scheme.toKindExtra(network), limits: toPublicPolicy(network.policy) },
    })),
  );
  const signers: Record<string, string[]> = {};
  for (const network of networks) {
    signers[network.caip2] = [...network.facilitators];
    signers["eip155:*"] = [...new Set([...(signers["eip155:*"] ?? []), ...network.facilitators])];
  }
  return {
    kinds,
    schemes: schemes.map(({ id }) => id),
    extensions: [gasSponsoringKey, approvalSponsoringKey, paymentIdentifierKey, bazaarKey, builderCodeKey],
    signers,
  };
}
