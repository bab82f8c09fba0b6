/** The filter for a list of transactions, as it appears in the page's URL. */
import { paymentWord } from "@/components/atoms/Method";
import { toFilteredPath } from "@/lib/links";
import type { TransactionFilterFields } from "@/lib/rpc/schema/explorerPage";

export const transactionKinds = { failed: "Failed", payment: "Payments", creation: "Deployments" } as const;
type Kind = keyof typeof transactionKinds;

/** `method` is a function's name or a selector. */
export type ShownFilter = { kind?: Kind; method?: string; token?: string };

const methodText = /^([A-Za-z_$][\w$]{0,99}|0x[0-9a-f]{8})$/i;

/** Reads the filter from a query string. Invalid values are ignored. */
export function readFilter(query: Record<"kind" | "method" | "token", string | undefined>): ShownFilter {
  const { kind, method, token } = query;
  return {
    ...(kind !== undefined && Object.hasOwn(transactionKinds, kind) && { kind: kind as Kind }),
    ...(method !== undefined && methodText.test(method) && { method }),
    ...(token !== undefined && /^0x[0-9a-f]{40}$/i.test(token) && { token: token.toLowerCase() }),
  };
}

export function toFilterFields({ kind, method, token }: ShownFilter): TransactionFilterFields {
  return { ...(kind && { [kind]: true }), ...(method && { method }), ...(token && { token: token as `0x${string}` }) };
}

export const isFiltered = (filter: ShownFilter) => Object.keys(filter).length > 0;

/**
 * Returns the path of the filtered list, or undefined if the method is neither a name nor a selector. The lists' word
 * for payments is also a name.
 */
export function findFormPath(base: string, kind: Kind | undefined, form: FormData): string | undefined {
  const method = String(form.get("method") ?? "").trim();
  const token = String(form.get("token") ?? "");
  if (method !== "" && !methodText.test(method)) return undefined;
  const name = method.toLowerCase() === paymentWord ? "transferWithAuthorization" : method;
  return toFilteredPath(base, { ...(kind && { kind }), method: name, token });
}
