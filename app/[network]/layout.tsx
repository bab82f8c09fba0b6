/**
 * The layout shared by a network's pages: ribbon, header, ruler, page and footer. Returns 404 for an unknown network.
 */
import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import {
  getOrigin,
  getSource,
  listNetworkChoices,
  listNetworks,
  prefetch,
  toPageNetwork,
} from "@/app/[network]/loadPage";
import { Highlight } from "@/components/atoms/Highlight";
import { Announcer } from "@/components/layout/Announcer";
import { Footer } from "@/components/layout/Footer";
import { Header } from "@/components/layout/Header";
import { Keyboard } from "@/components/layout/Keyboard";
import { Providers } from "@/components/layout/Providers";
import { Ruler } from "@/components/layout/Ruler";
import { SimulationRibbon } from "@/components/layout/SimulationRibbon";
import { themeCookie, toTheme } from "@/components/layout/theme";
import { ResetNotice } from "@/components/live/ResetNotice";
import { finalizedBlockQuery, headNumberQuery, rulerQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

type Props = { params: Promise<{ network: string }>; children: ReactNode };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const source = await getSource((await params).network);
  const { isLocal } = (await getNode()).networks.get(source.network)!;
  const site = isLocal ? "Tollscan (local)" : "Tollscan";
  return { title: { default: site, template: `%s · ${site}` } };
}

export default async function NetworkLayout({ params, children }: Props) {
  const source = await getSource((await params).network);
  const [node, state, origin, jar] = await Promise.all([
    getNode(),
    prefetch([headNumberQuery(source), rulerQuery(source), finalizedBlockQuery(source)]),
    getOrigin(),
    cookies(),
  ]);
  const network = toPageNetwork(node.networks.get(source.network)!);
  const networks = listNetworks(node);
  return (
    <Providers
      // Each network is a separate chain, so switching networks discards caches, streams and paused lists.
      key={source.network}
      network={network}
      origin={origin}
      renderedAt={Math.floor(Date.now() / 1000)}
      names={node.listNames(source.network)}
      state={state}
    >
      <a
        href="#content"
        className="absolute -top-16 left-4 z-30 rounded-md border border-edge bg-surface px-3 py-2 focus:top-2"
      >
        Skip to content
      </a>
      <SimulationRibbon network={network} />
      <Header theme={toTheme(jar.get(themeCookie)?.value)} networks={networks} />
      <Ruler />
      <ResetNotice />
      <main id="content" tabIndex={-1} className="page-width flex flex-col gap-6 py-6 focus:outline-none">
        {children}
      </main>
      <Footer network={network} origin={origin} />
      <Announcer />
      <Highlight />
      <Keyboard networks={listNetworkChoices(node)} />
    </Providers>
  );
}
