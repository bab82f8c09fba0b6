/** Encoders and decoders: ABI, RLP, hashes, units, typed data and addresses. */
import type { Metadata } from "next";
import { getSource } from "@/app/[network]/loadPage";
import { EncodeScreen } from "@/components/tools/encode/EncodeScreen";
import { runEncoder, toExample } from "@/components/tools/encode/encoder";
import { encoders } from "@/components/tools/encode/encoders";

export const metadata: Metadata = { title: "Encode and decode" };

export default async function EncodePage({ params }: { params: Promise<{ network: string }> }) {
  await getSource((await params).network);
  const [first] = encoders;
  return <EncodeScreen firstOutcome={await runEncoder(first!, toExample(first!))} />;
}
