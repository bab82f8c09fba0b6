/** A recorded exchange, by its record's short ID. Anyone with the link can read it. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { toFlowTitle } from "@/components/playground/flowTitle";
import { createFormatAmount } from "@/components/playground/flowValue";
import { RecordedFlow } from "@/components/playground/RecordedFlow";
import { isRecordId } from "@/lib/payflow/exchanges";
import { findPaymentId } from "@/lib/payflow/findPaymentId";
import type { Flow } from "@/lib/payflow/flow";
import { exchangeQuery } from "@/lib/query/queries";
import type { RpcResult } from "@/lib/rpc/methods";
import { getNode } from "@/server/node/instance";

type Props = { params: Promise<{ network: string; id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { network, id } = await params;
  const { flow } = await readRecord(network, id);
  if (!flow) return { title: "Payment flow" };
  const { tokens } = (await getNode()).networks.get(network)!.network;
  const title = toFlowTitle(flow.steps, createFormatAmount(tokens));
  return { title, openGraph: { title } };
}

export default async function FlowPage({ params }: Props) {
  const { network, id } = await params;
  const { state, flow } = await readRecord(network, id);
  const { tokens } = (await getNode()).networks.get(network)!.network;
  return (
    <HydrationBoundary state={state}>
      <h1>{flow ? toFlowTitle(flow.steps, createFormatAmount(tokens)) : "Payment flow"}</h1>
      <RecordedFlow id={id} paymentId={flow && findPaymentId(flow.steps)} />
    </HydrationBoundary>
  );
}

async function readRecord(network: string, id: string) {
  const source = await getSource(network);
  if (!isRecordId(id)) notFound();
  const state = await prefetch([exchangeQuery(source, id)]);
  const found = state.queries[0]?.state.data as RpcResult<"explorer_getExchange"> | undefined;
  return { state, flow: found?.flow as Flow | undefined };
}
