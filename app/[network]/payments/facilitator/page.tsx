/** The facilitator that settles payments on this network, as described by its own GET /supported. */
import type { Metadata } from "next";
import { getOrigin, getSource, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import {
  type FacilitatorFacts,
  type FacilitatorLimits,
  FacilitatorScreen,
} from "@/components/payments/FacilitatorScreen";
import { PaymentsHead } from "@/components/payments/PaymentsHead";
import { seriesTotalsQuery } from "@/components/payments/seriesTotals";
import { toCaip2 } from "@/lib/networks";
import { healthQuery } from "@/lib/query/explorerQueries";
import {
  balanceQuery,
  facilitatorRows,
  nonceQuery,
  paymentSeriesQuery,
  paymentsQuery,
  paymentTotalsQuery,
} from "@/lib/query/queries";
import type { SupportedResponse } from "@/lib/x402/types";
import { getNode } from "@/server/node/instance";
import type { Node } from "@/server/node/node";

export const metadata: Metadata = { title: "Facilitator" };

const path = "/api/facilitator";

export default async function FacilitatorPage({ params }: PageProps) {
  const source = await getSource((await params).network);
  const node = await getNode();
  const { chainId } = node.networks.get(source.network)!.network;
  const facts = await findFacts(node, `${await getOrigin()}${path}`, toCaip2(chainId));
  return withQueries(
    [
      paymentTotalsQuery(source, "state"),
      paymentSeriesQuery(source),
      seriesTotalsQuery(source),
      healthQuery(source),
      paymentsQuery(source, undefined, facilitatorRows, { state: "settled" }),
      paymentsQuery(source, undefined, facilitatorRows, { state: "failed" }),
      ...(facts?.signers ?? []).flatMap((signer) => [balanceQuery(source, signer), nonceQuery(source, signer)]),
    ],
    <>
      <PaymentsHead
        network={source.network}
        intro="The facilitator verifies payments for your server, settles them on chain, and pays the gas."
      />
      {facts ? (
        <FacilitatorScreen facts={facts} />
      ) : (
        <Sheet>
          <Empty level="h2" title="No settlements yet" />
        </Sheet>
      )}
    </>,
  );
}

/** Returns undefined if no facilitator settles payments on that network. */
async function findFacts(node: Node, url: string, network: string): Promise<FacilitatorFacts | undefined> {
  const supportedPath = `${path}/supported`;
  const answer = await node.findHandler(supportedPath)?.({
    method: "GET",
    path: supportedPath,
    query: new URLSearchParams(),
    headers: {},
    body: new Uint8Array(),
    origin: "http://localhost",
  });
  if (typeof answer?.body !== "string") return undefined;
  const { kinds, signers, extensions } = JSON.parse(answer.body) as SupportedResponse;
  const own = kinds.filter((kind) => kind.network === network);
  const limits = own[0]?.extra?.limits as FacilitatorLimits | undefined;
  if (!limits) return undefined;
  const accounts = signers[network] ?? signers["eip155:*"] ?? [];
  return {
    url,
    signers: [...new Set(accounts.map((account) => account.toLowerCase()))],
    schemes: [...new Set(own.map(({ scheme }) => scheme))],
    extensions,
    limits,
  };
}
