import type { Metadata } from "next";
import { getSource, type PageProps } from "@/app/[network]/loadPage";
import { ResourceList } from "@/components/payments/ResourceList";
import { catalogPath } from "@/lib/x402/catalog";
import { getNode } from "@/server/node/instance";

export const metadata: Metadata = { title: "Paid resources" };

export default async function ResourcesPage({ params }: PageProps) {
  const { network: name } = await getSource((await params).network);
  const node = await getNode();
  const { label } = node.networks.get(name)!.network;
  return (
    <>
      <div className="flex max-w-prose flex-col gap-1">
        <h1>Paid resources</h1>
        <p className="text-14 text-ink-2">
          {label} data, sold per request over x402. Machine-readable catalog:{" "}
          <a href={catalogPath} className="app-link mono text-accent">
            {catalogPath}
          </a>
        </p>
      </div>
      <ResourceList entries={node.listResources(name)} />
    </>
  );
}
