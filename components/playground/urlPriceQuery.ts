/** The price of a URL as a query, so that the form, the offer and the payment share it. It is read only on request. */
import { queryOptions } from "@tanstack/react-query";
import type { PageNetwork } from "@/lib/networks";
import { readOnce } from "@/lib/query/client";
import type { PaidCall } from "./exchange";
import { createForeignFetch } from "./foreignFetch";
import { readUrlPrice } from "./urlPrice";

/** @param networks this node's networks, including the page's own */
export function urlPriceQuery({ url, method, body }: PaidCall, network: PageNetwork, networks: readonly PageNetwork[]) {
  return queryOptions({
    queryKey: [network.name, "urlPrice", method, url, body ?? ""],
    queryFn: () => readUrlPrice({ url, method, ...(body && { body }) }, { network, networks }, createForeignFetch()),
    ...readOnce,
  });
}
