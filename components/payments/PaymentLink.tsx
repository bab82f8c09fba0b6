/**
 * The link to a payment in a list: what it paid for or, if it failed, why. Nearly all payments are settled, so only
 * other states have a word.
 */
import { Status, toStatusName } from "@/components/atoms/Status";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { toShortHex } from "@/lib/address";
import { toPaymentPath } from "@/lib/links";
import type { Payment } from "@/lib/query/wire";
import { toResourcePath } from "@/lib/shownText";

export function PaymentLink({
  payment: { id, state, reason, resource, description },
  name = toResourcePath(resource),
  isStateKnown = false,
}: {
  payment: Payment;
  /** The name of what was paid for. By default, the resource's path. */
  name?: string;
  /** Whether the list's title says the state. */
  isStateKnown?: boolean;
}) {
  const { network } = useSource();
  const text = reason ?? (name || "Payment");
  return (
    <span className="flex min-w-0 items-center gap-1 md:gap-2.5">
      <Status name={toStatusName(state)} iconOnly={isStateKnown || state === "settled"} />
      <AppLink
        href={toPaymentPath(network, id)}
        className="truncate font-medium"
        title={description ?? resource ?? undefined}
        // Many payments are for the same resource.
        aria-label={`${text}, payment ${toShortHex(id)}`}
      >
        {reason === null ? text : <code className="mono text-neg">{text}</code>}
      </AppLink>
    </span>
  );
}
