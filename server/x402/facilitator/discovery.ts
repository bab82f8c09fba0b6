/**
 * The bazaar extension: resources that describe themselves are cataloged once a payment for them is settled. An entry
 * is keyed by URL and payee, so a payee cannot change another payee's entry.
 */
import type { PaymentPayload, PaymentRequirements, ResourceInfo } from "@/lib/x402/types";
import type { PaymentStore } from "@/server/ports/store";
import type { PaymentTerms } from "@/server/x402/schemes/scheme";

export const bazaarKey = "bazaar";

export type DiscoveredResource = Omit<ResourceInfo, "url"> & {
  resource: string;
  type: string;
  x402Version: 2;
  accepts: PaymentRequirements[];
  /** ISO 8601 */
  lastUpdated: string;
  extensions: Record<string, unknown>;
};

export type DiscoveryFilter = {
  type?: string | undefined;
  payTo?: string | undefined;
  scheme?: string | undefined;
  network?: string | undefined;
  extensions?: string | undefined;
  /** Words that must all occur in the entry's text. */
  query?: string | undefined;
};

export type CatalogStatus = { status: "success" } | { status: "rejected"; rejectedReason: string };

/** Only the most recently updated entries are kept; pushing out another entry costs a payment. */
const maxResources = 1_000;
const maxItemLength = 16_384;

type DescribedInput = { type?: unknown; method?: unknown };

const methods = new Set<unknown>(["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH"]);

/** Catalogs a settled payment's resource. Returns undefined if the resource does not describe itself. */
export async function catalog(
  store: PaymentStore,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  terms: PaymentTerms,
  nowMs: number,
): Promise<CatalogStatus | undefined> {
  const extension = payload.extensions?.[bazaarKey] as { info?: { input?: DescribedInput } } | null | undefined;
  if (!extension || !payload.resource) return undefined;
  const { type, method } = extension.info?.input ?? {};
  if (type !== "http" && type !== "mcp") {
    return { status: "rejected", rejectedReason: "info.input.type must be http or mcp." };
  }
  if (type === "http" && method !== undefined && !methods.has(method)) {
    return { status: "rejected", rejectedReason: "info.input.method must be GET, HEAD, DELETE, POST, PUT or PATCH." };
  }
  const { url, ...info } = payload.resource;
  const resource = findResourceUrl(url);
  if (!resource)
    return { status: "rejected", rejectedReason: "The resource's URL must start with http:// or https://." };
  // With upto, the settled amount is only the usage; the entry shows the maximum that the payer accepted.
  const accepts = [{ ...payload.accepted, scheme: requirements.scheme, amount: payload.accepted.amount }];
  const entry: DiscoveredResource = {
    resource,
    type,
    x402Version: 2,
    accepts,
    lastUpdated: new Date(nowMs).toISOString(),
    ...info,
    extensions: { [bazaarKey]: extension },
  };
  const known = await store.listPaidResources({ limit: maxResources + 1 });
  const before = known.find((other) => other.url === resource && other.payee === terms.payee);
  const ways = before
    ? (JSON.parse(before.item) as DiscoveredResource).accepts.filter((way) => !isSameWay(way, accepts[0]!))
    : [];
  const item = JSON.stringify({ ...entry, accepts: [...accepts, ...ways].slice(0, 16) });
  if (item.length > maxItemLength) return { status: "rejected", rejectedReason: "The description is too large." };
  const oldest = known.length >= maxResources && !before ? known.at(-1) : undefined;
  if (oldest) await store.deletePaidResource(oldest);
  await store.putPaidResource({ url: resource, payee: terms.payee, updatedAtMs: nowMs, item });
  return { status: "success" };
}

/** Entries that match the filter, most recently updated first. */
export async function listResources(store: PaymentStore, filter: DiscoveryFilter): Promise<DiscoveredResource[]> {
  const entries = (await store.listPaidResources({ limit: maxResources })).map(
    ({ item }) => JSON.parse(item) as DiscoveredResource,
  );
  return entries.filter((entry) => isWanted(entry, filter));
}

function isWanted(
  entry: DiscoveredResource,
  { type, payTo, scheme, network, extensions, query }: DiscoveryFilter,
): boolean {
  const isWay = (way: PaymentRequirements) =>
    (payTo === undefined || way.payTo.toLowerCase() === payTo.toLowerCase()) &&
    (scheme === undefined || way.scheme === scheme) &&
    (network === undefined || way.network === network);
  const text = [entry.resource, entry.description, entry.serviceName, ...(entry.tags ?? [])].join(" ").toLowerCase();
  return (
    (type === undefined || entry.type === type) &&
    (extensions === undefined || extensions.split(",").every((key) => Object.hasOwn(entry.extensions, key))) &&
    entry.accepts.some(isWay) &&
    (query ?? "")
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

/** The query and fragment identify a request, not a resource. */
function findResourceUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname } = new URL(text);
  return protocol === "http:" || protocol === "https:" ? `${origin}${pathname}` : undefined;
}

function isSameWay(one: PaymentRequirements, other: PaymentRequirements): boolean {
  return (
    one.scheme === other.scheme &&
    one.network === other.network &&
    one.asset.toLowerCase() === other.asset.toLowerCase()
  );
}
