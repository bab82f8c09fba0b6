/**
 * The head of each page about payments, and the ways to the others.
 */
import { PageTabs } from "@/components/explorer/PageTabs";
import { toPaymentsPagePath, toSectionPath } from "@/lib/links";
import { t } from "@/lib/messages/translatePayments";

export function PaymentsHead({ network, title }: { network: string; title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <PageTabs
        tabs={[
          { label: t("payments.ledger"), path: toSectionPath(network, "payments") },
          { label: t("payments.byResource"), path: toPaymentsPagePath(network, "resources") },
          { label: t("payments.byPayee"), path: toPaymentsPagePath(network, "payees") },
          { label: t("payments.facilitator"), path: toPaymentsPagePath(network, "facilitator") },
        ]}
      />
    </>
  );
}
