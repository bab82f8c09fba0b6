/** The header of the payment pages, with their tabs. */
import { PageTabs } from "@/components/layout/PageTabs";
import { toPaymentsPagePath, toSectionPath } from "@/lib/links";

export function PaymentsHead({ network, intro }: { network: string; intro?: string }) {
  return (
    <>
      <h1>Payments</h1>
      <PageTabs
        tabs={[
          { label: "Ledger", path: toSectionPath(network, "payments") },
          { label: "By resource", path: toPaymentsPagePath(network, "resources") },
          { label: "By payee", path: toPaymentsPagePath(network, "payees") },
          { label: "Facilitator", path: toPaymentsPagePath(network, "facilitator") },
        ]}
      />
      {/* Below the tabs, so that these are at the same place on each page. */}
      {intro && <p className="text-pretty text-14 text-ink-2">{intro}</p>}
    </>
  );
}
