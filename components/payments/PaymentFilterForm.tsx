/**
 * The ledger's head and the form that filters it. It is a GET form, so it works without JavaScript and each filter has
 * a URL.
 */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { FilterLinks } from "@/components/lists/FilterLinks";
import { toPaymentsPath } from "@/lib/links";
import type { PaymentFilters } from "@/lib/query/queries";

const fieldLabels = {
  payer: "Payer",
  payee: "Payee",
  resource: "Resource",
};

const shownStates = [undefined, "settled", "failed", "refunded", "expired"] as const;
const paymentStates = ["received", "verified", "settling", "settled", "failed", "expired", "refunded"] as const;

export function PaymentFilterForm({
  id,
  filters,
  aside,
}: {
  /** The id of the heading. */
  id: string;
  filters: PaymentFilters;
  /** The content at the right end of the first line. */
  aside: ReactNode;
}) {
  const { name } = useNetwork();
  const isFiltered = Object.keys(filters).length > 0;
  const isOther = filters.payer ?? filters.payee ?? filters.resource;
  return (
    <div className="relative text-13">
      <div className="sheet-head">
        {/* On wide screens, the filters are in its place: the current tab has the same name. */}
        <h2 id={id} className="md:sr-only">
          Ledger
        </h2>
        {/* Leaves room for the button of the filters. */}
        <div className="md:order-1 md:mr-34">{aside}</div>
        <FilterLinks
          label="Filter by status"
          className="max-md:basis-full max-sm:*:flex! max-sm:[&_a]:flex-auto"
          choices={shownStates.map((state) => ({
            label: state === undefined ? "All" : `${state[0]?.toUpperCase()}${state.slice(1)}`,
            path: toPaymentsPath(name, { ...filters, state }),
            isCurrent: state === filters.state,
          }))}
        />
      </div>
      <details
        open={isOther !== undefined}
        className="group max-md:border-line max-md:border-b md:open:border-line md:open:border-b"
      >
        {/* A line of its own on narrow screens, and a button at the right end of the line above on wide ones. */}
        <summary className="button cursor-pointer select-none max-md:flex! max-md:h-10! max-md:justify-between max-md:border-0! max-md:bg-transparent! max-md:px-4! md:absolute md:top-2 md:right-4 md:h-7!">
          More filters
          <Icon name="down" className="group-open:rotate-180" />
        </summary>
        <form method="get" action={toPaymentsPath(name)} className="payment-filter md:pt-3">
          {(["payer", "payee", "resource"] as const).map((field) => (
            <label key={field}>
              <span className="label">{fieldLabels[field]}</span>
              <input
                name={field}
                type="text"
                spellCheck={false}
                autoComplete="off"
                maxLength={4096}
                defaultValue={filters[field]}
                placeholder={field === "resource" ? "http://…" : "0x…"}
                className="field w-full"
                {...(field !== "resource" && {
                  pattern: "0x[0-9a-fA-F]{40}",
                  title: "0x followed by 40 hex characters",
                })}
              />
            </label>
          ))}
          <label>
            <span className="label">Status</span>
            <select name="state" defaultValue={filters.state ?? ""} className="field w-full">
              <option value="">Any status</option>
              {paymentStates.map((state) => (
                <option key={state} value={state}>
                  {state}
                </option>
              ))}
            </select>
          </label>
          <div className="flex items-end gap-2">
            <button type="submit" className="button">
              Apply
            </button>
            {isFiltered && (
              <AppLink href={toPaymentsPath(name)} className="button">
                Clear
              </AppLink>
            )}
          </div>
        </form>
      </details>
    </div>
  );
}
