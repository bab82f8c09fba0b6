"use client";
import { useNetworkContext } from "@/components/chain/NetworkContext";
/**
 * The bottom of every page: what this network is, and how the page was made.
 */
import { AppLink } from "@/components/layout/AppLink";
import { DialogButton } from "@/components/layout/Header";
import { t } from "@/lib/messages/translate";
import { toRpcPath } from "@/lib/networks";

export function Footer() {
  const { network, origin } = useNetworkContext();
  return (
    <footer className="mt-auto border-line border-t">
      <div className="page-width flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4 text-13 text-ink-2">
        <p>
          {t("footer.network", { label: network.label, chainId: network.chainId })}{" "}
          <span className="mono break-all">{`${origin}${toRpcPath(network)}`}</span>
        </p>
        <nav aria-label={t("footer.more")} className="flex gap-5">
          <AppLink href={`/${network.name}/charts`}>{t("charts.title")}</AppLink>
          <AppLink href={`/${network.name}/node`}>{t("node.title")}</AppLink>
          {network.embedded && <AppLink href={`/${network.name}/tools`}>{t("tools.title")}</AppLink>}
        </nav>
        <DialogButton opens="requests" label={t("footer.requests")} />
      </div>
    </footer>
  );
}
