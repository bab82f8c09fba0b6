/** The page for a recorded payment exchange, found by the record's short ID. Anyone with the link can read it. */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { findRecord } from "@/app/[network]/findRecord";
import { getSource, withQueries } from "@/app/[network]/loadPage";
import { RecordedFlow } from "@/components/playground/RecordedFlow";
import { isRecordId } from "@/lib/payflow/exchanges";
import { findPaymentId } from "@/lib/payflow/findPaymentId";
import { exchangeQuery, finalizedBlockQuery, paymentQuery } from "@/lib/query/queries";
import "@/components/playground/styles";

type Props = { params: Promise<{ network: string; id: string }> };

const fallbackTitle = "Payment flow";

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { network, id } = await params;
  const { title = fallbackTitle } = (isRecordId(id) && (await findRecord(network, id))) || {};
  return { title, openGraph: { title } };
}

export default async function FlowPage({ params }: Props) {
  const { network, id } = await params;
  if (!isRecordId(id)) notFound();
  const source = await getSource(network);
  const record = await findRecord(network, id);
  const paymentId = record && findPaymentId(record.flow.steps);
  const queries = [exchangeQuery(source, id), finalizedBlockQuery(source)];
  return withQueries(
    paymentId ? [...queries, paymentQuery(source, paymentId)] : queries,
    <RecordedFlow id={id} paymentId={paymentId} title={record?.title ?? fallbackTitle} />,
  );
}
