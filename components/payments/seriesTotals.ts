/** The totals in each token of the payments that charts are about. The charts show one token at a time. */
import { type PaymentFilters, paymentTotalsQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";

export type SeriesFilters = Pick<PaymentFilters, "payee" | "resource">;

export const seriesTotalsQuery = (source: Source, { payee, resource }: SeriesFilters = {}) =>
  resource ? paymentTotalsQuery(source, "resource", resource) : paymentTotalsQuery(source, "payee", payee);
