/**
 * Rules that token permits and sponsored approvals share. They check the signing account, the asset and the spender.
 */
import type { Reason } from "@/lib/x402/reason";
import { isSame, toAddress } from "@/lib/x402/rules/paymentTerms";
import type { Rule } from "@/lib/x402/rules/rule";
import type { Hex, SponsoredPermit } from "@/lib/x402/types";

type Fields = Pick<SponsoredPermit, "from" | "asset" | "spender">;

/** The values that the extension's fields must have, and the fields in its `info`. */
export type SponsoredTerms = Fields & { info: Fields };

/** Creates a rule that requires two of a payment's addresses to be the same. */
export function toAddressRule<Terms>(
  name: string,
  reason: Reason,
  {
    findAsked,
    findGiven,
    ...rest
  }: {
    findAsked: (terms: Terms) => Hex;
    findGiven: (terms: Terms) => Hex | undefined;
    applies?: (terms: Terms) => boolean;
  },
): Rule<Terms, object, never> {
  return {
    name,
    reason,
    needs: [],
    holds: (terms) => isSame(findGiven(terms), findAsked(terms)),
    asked: (terms) => toAddress(findAsked(terms)),
    given: (terms) => toAddress(findGiven(terms)),
    ...rest,
  };
}

export const toSponsoredRules = (reasons: Record<keyof Fields, Reason>) =>
  (["from", "asset", "spender"] as const).map((name) =>
    toAddressRule<SponsoredTerms>(name, reasons[name], {
      findAsked: (terms) => terms[name],
      findGiven: ({ info }) => info[name],
    }),
  );
