/**
 * What a paid resource asks for, by asking it in process as any client would: its own 402 answer is the only source.
 */
import { decodeHeader, paymentRequiredHeader } from "@/lib/x402/header";
import type { PaymentRequired } from "@/lib/x402/types";
import { parsePaymentRequired } from "@/lib/x402/wire";
import type { Node } from "@/server/node";

/** @param url path and query below origin. undefined where nothing there asks for a payment. */
export async function findOffer(node: Node, url: string): Promise<PaymentRequired | undefined> {
  const { origin, pathname, searchParams } = new URL(url, "http://localhost");
  const handler = node.findHandler("GET", pathname);
  const answer = await handler?.({
    method: "GET",
    path: pathname,
    query: searchParams,
    headers: {},
    body: new Uint8Array(),
    origin,
  });
  const header = answer?.headers[paymentRequiredHeader];
  return header === undefined ? undefined : parsePaymentRequired(decodeHeader(header));
}
