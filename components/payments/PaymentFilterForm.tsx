/**
 * Narrows the ledger: a form whose answer is an address, so that it works without script and can be linked to.
 */
import { useNetwork } from "@/components/chain/NetworkContext";
import { AppLink } from "@/components/layout/AppLink";
import { toPaymentsPath } from "@/lib/links";
import { t } from "@/lib/messages/translatePayments";
import type { PaymentFilters } from "@/lib/query/queries";

export const paymentStates = ["received", "verified", "settling", "settled", "failed", "expired", "refunded"] as const;

export function PaymentFilterForm({ filters }: { filters: PaymentFilters }) {
  const { name } = useNetwork();
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <details className="border-line border-b text-13" open={isFiltered}>
      <summary className="cursor-pointer px-4 py-2 text-ink-2">{t("payments.filter")}</summary>
      <form method="get" action={toPaymentsPath(name)} className="payment-filter">
        {(["payer", "payee", "resource"] as const).map((field) => (
          <label key={field}>
            <span className="label">{t(`payment.${field}`)}</span>
            <input
              name={field}
              type="text"
              spellCheck={false}
              autoComplete="off"
              maxLength={4096}
              defaultValue={filters[field]}
              placeholder={field === "resource" ? "http://…" : "0x…"}
              className="play-field mono"
              {...(field !== "resource" && { pattern: "0x[0-9a-fA-F]{40}", title: t("payments.addressHint") })}
            />
          </label>
        ))}
        <label>
          <span className="label">{t("payment.state")}</span>
          <select name="state" defaultValue={filters.state ?? ""} className="play-field">
            <option value="">{t("payments.anyState")}</option>
            {paymentStates.map((state) => (
              <option key={state} value={state}>
                {state}
              </option>
            ))}
          </select>
        </label>
        <div className="flex items-end gap-2">
          <button type="submit" className="button">
            {t("payments.apply")}
          </button>
          {isFiltered && (
            <AppLink href={toPaymentsPath(name)} className="button">
              {t("payments.clear")}
            </AppLink>
          )}
        </div>
      </form>
    </details>
  );
}
