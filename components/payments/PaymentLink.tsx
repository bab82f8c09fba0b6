/**
 * The link to a payment in a list: what it paid for, the host unless it is this server's and, if it failed, why. Nearly
 * all payments are settled, so only other states have a word or a reason.
 */
import { Status, toStatusName } from "@/components/atoms/Status";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toShortHex } from "@/lib/address";
import { toPaymentPath } from "@/lib/links";
import type { Payment } from "@/lib/query/wire";
import { toResourceParts } from "./resourceParts";

/** Below the name, which is after the status. */
const belowClass = "pl-4 md:pl-5.5 lg:pl-6.5";

export function PaymentLink({
  payment: { id, state, reason, resource, description, transaction },
  name,
  isStateKnown = false,
  isWhole = true,
}: {
  payment: Payment;
  /** The name of what was paid for. By default, the resource's path. */
  name?: string;
  /** Whether the list's title says the state. */
  isStateKnown?: boolean;
  /** Whether there is room for a line with the reason. */
  isWhole?: boolean;
}) {
  const { network, origin } = useNetworkContext();
  const { path, query, host } = toResourceParts(resource ?? "", origin, network.name);
  const text = (name ?? path) || "Payment";
  const shownQuery = name === undefined ? query : "";
  const hasReason = reason !== null && isWhole;
  // With the scheme `upto`, the seller may charge nothing.
  const isUnsettled = isWhole && state === "settled" && transaction === null;
  return (
    <span className={`block ${host || hasReason ? "has-second-line md:py-1.5" : ""} ${hasReason ? "has-reason" : ""}`}>
      {/* On phones, the icon is as wide as that of the payer below it. */}
      <span className="flex min-w-0 items-center gap-x-1 max-md:[&>:first-child]:-mx-0.5 md:gap-x-1.5 lg:gap-x-2.5">
        <Status name={toStatusName(state)} iconOnly={isStateKnown || state === "settled" || reason !== null} />
        <AppLink
          href={toPaymentPath(network.name, id)}
          // The row's baseline, instead of the icon's.
          className="min-w-0 self-baseline truncate font-medium"
          title={description ?? resource ?? undefined}
          // Many payments are for the same resource.
          aria-label={`${text}${shownQuery}, payment ${toShortHex(id)}`}
        >
          {text}
          {shownQuery && <span className="text-12 font-normal text-ink-2 max-lg:hidden">{shownQuery}</span>}
        </AppLink>
        {/* Wider screens say so in the column of settlements. */}
        {isUnsettled && (
          <span className="payment-unsettled flex-none text-12 text-ink-3 lg:hidden">nothing to settle</span>
        )}
      </span>
      {host && <span className={`block truncate text-12 text-ink-3 leading-4 ${belowClass}`}>{host}</span>}
      {hasReason && (
        <code className={`mono wrap-anywhere block whitespace-normal text-neg leading-4 ${belowClass}`}>
          <WrapText text={reason} />
        </code>
      )}
    </span>
  );
}
