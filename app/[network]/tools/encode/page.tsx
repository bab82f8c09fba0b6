/** Encoders and decoders: ABI, RLP, hashes, units, typed data and addresses. */
import type { Metadata } from "next";
import { getSource } from "@/app/[network]/loadPage";
import { EncodeScreen } from "@/components/tools/encode/EncodeScreen";

export const metadata: Metadata = { title: "Encode and decode" };

export default async function EncodePage({ params }: { params: Promise<{ network: string }> }) {
  await getSource((await params).network);
  return <EncodeScreen />;
}
