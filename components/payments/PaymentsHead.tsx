/** The header of the payment pages, with links to all of these pages. */
import { PageTabs } from "@/components/layout/PageTabs";
import { toPaymentsPagePath, toSectionPath } from "@/lib/links";

export function PaymentsHead({ network, title }: { network: string; title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <PageTabs
        tabs={[
          { label: "Ledger", path: toSectionPath(network, "payments") },
          { label: "By resource", path: toPaymentsPagePath(network, "resources") },
          { label: "By payee", path: toPaymentsPagePath(network, "payees") },
          { label: "Facilitator", path: toPaymentsPagePath(network, "facilitator") },
        ]}
      />
    </>
  );
}
