/**
 * The payment playground. What it pays for reads without JavaScript; the paying itself is loaded in the browser.
 */
import type { Metadata } from "next";
import { getSource, listNetworks } from "@/app/[network]/loadPage";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { Sheet } from "@/components/layout/Sheet";
import { PlaygroundLoader } from "@/components/playground/PlaygroundLoader";
import { t } from "@/lib/messages/translate";
import { getNode } from "@/server/instance";

export const metadata: Metadata = { title: t("play.title") };

export default async function PlaygroundPage({ params }: { params: Promise<{ network: string }> }) {
  const { network: name } = await getSource((await params).network);
  const node = await getNode();
  const { label } = node.networks.get(name)!.network;
  const url = `/api/paid/block-digest?network=${name}`;
  return (
    <>
      <div className="flex max-w-prose flex-col gap-1">
        <h1>{t("play.title")}</h1>
        <p className="text-14 text-ink-2">{t("play.intro")}</p>
      </div>
      <Sheet title={t("play.blockDigest")} id="resource">
        <InfoList label={t("play.resource")}>
          <InfoRow label={t("play.resource")}>
            <code className="break-all">GET {url}</code>
          </InfoRow>
          <InfoRow label={t("play.content")}>{t("play.blockDigestHint", { network: label })}</InfoRow>
          <InfoRow label={t("play.price")}>$0.01</InfoRow>
          <InfoRow label={t("play.scheme")}>{t("play.schemeValue")}</InfoRow>
        </InfoList>
      </Sheet>
      <PlaygroundLoader key={name} networks={listNetworks(node)} url={url} />
    </>
  );
}
