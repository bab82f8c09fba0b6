/** Requests a paid resource in process, as a client would, and reads the price from its 402 response. */
import type { PaidCall } from "@/components/playground/exchange";
import { decodeHeader, paymentRequiredHeader } from "@/lib/x402/header";
import type { PaymentRequired } from "@/lib/x402/types";
import { parsePaymentRequired } from "@/lib/x402/wire";
import type { Node } from "@/server/node/node";

/**
 * The resource given in the page's URL, or else the network's first resource. Undefined if nothing is for sale. Paths
 * outside the catalog are ignored, so that a link can't make a visitor pay for something else.
 */
export function findCall(node: Node, network: string, wanted: string | undefined): PaidCall | undefined {
  const items = node.listResources(network);
  const named = wanted !== undefined && URL.canParse(wanted, "http://localhost") && new URL(wanted, "http://localhost");
  const found = named ? items.find(({ resource }) => resource.split("?", 1)[0] === named.pathname) : undefined;
  const item = found ?? items[0];
  if (!item) return undefined;
  const query = new URLSearchParams(named && found ? named.search : item.resource.split("?")[1]);
  query.set("network", network);
  const { method, exampleBody } = item;
  const url = `${item.resource.split("?", 1)[0]}?${query}`;
  return { url, method, ...(exampleBody !== undefined && { body: JSON.stringify(exampleBody) }) };
}

/** Returns undefined if the call doesn't require payment. */
export async function findOffer(node: Node, { url, method, body }: PaidCall): Promise<PaymentRequired | undefined> {
  const { origin, pathname, searchParams } = new URL(url, "http://localhost");
  const handler = node.findHandler(pathname);
  const answer = await handler?.({
    method,
    path: pathname,
    query: searchParams,
    headers: {},
    body: new TextEncoder().encode(body ?? ""),
    origin,
  });
  const header = answer?.headers[paymentRequiredHeader];
  return header === undefined ? undefined : parsePaymentRequired(decodeHeader(header));
}
