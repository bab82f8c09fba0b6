/**
 * The bazaar extension: once a payment has moved money, catalogs the resource that the payment describes. Entries are
 * keyed by URL and payee, so a payee cannot change another payee's entry.
 */
import { z } from "zod";
import { toShownInfo } from "@/lib/x402/resourceInfo";
import type { PaymentRequirements, ResourceInfo } from "@/lib/x402/types";
import type { PaymentStore } from "@/server/ports/store";
import { matchesSchema } from "@/server/x402/facilitator/jsonSchema";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";

export const bazaarKey = "bazaar";

type DiscoveredResource = Omit<ResourceInfo, "url"> & {
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

/** One page of entries, each as JSON text, and the total number of matches. */
export type DiscoveredPage = { items: string[]; total: number };

export type CatalogStatus = { status: "success" } | { status: "rejected"; rejectedReason: string };

/** The maximum number of entries per network, and per payee on a network. */
const limits = { max: 1_000, maxPerPayee: 100 };
const maxItemLength = 16_384;
const maxWords = 1_000;

const httpInput = z.object({
  type: z.literal("http"),
  method: z.enum(["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH"]).optional(),
  bodyType: z.enum(["json", "form-data", "text"]).optional(),
});
const mcpInput = z.object({
  type: z.literal("mcp"),
  toolName: z.string().min(1).max(128),
  inputSchema: z.record(z.string(), z.unknown()),
  transport: z.enum(["streamable-http", "sse"]).optional(),
});
const declaration = z.object({
  info: z.object({ input: z.discriminatedUnion("type", [httpInput, mcpInput]) }),
  schema: z.record(z.string(), z.unknown()),
  routeTemplate: z.unknown().optional(),
});
type Declaration = z.output<typeof declaration>;

/**
 * Catalogs the resource of a payment that moved money. Returns undefined if the payment does not describe its resource.
 */
export async function catalog(
  store: PaymentStore,
  requirements: PaymentRequirements,
  { id, payload, terms }: Pick<FacilitatorPayment, "id" | "payload" | "terms">,
): Promise<CatalogStatus | undefined> {
  const extension = payload.extensions?.[bazaarKey];
  if (!extension || !payload.resource) return undefined;
  const declared = readDeclaration(extension);
  if (typeof declared === "string") return { status: "rejected", rejectedReason: declared };
  const { input } = declared.info;
  const resource = findResourceUrl(payload.resource.url, declared);
  if (!resource) {
    return { status: "rejected", rejectedReason: "The resource's URL must start with http:// or https://." };
  }
  const key = { url: input.type === "mcp" ? `${resource}#${input.toolName}` : resource, payee: terms.payee };
  const [before, record] = await Promise.all([store.findPaidResource(key), store.findPayment(id)]);
  // Reporting the same settlement again doesn't renew the entry.
  const settledAtMs = record?.steps.findLast(({ state }) => state === "settled")?.atMs ?? 0;
  if (before && before.updatedAtMs > settledAtMs) return { status: "success" };
  const ways = before ? (JSON.parse(before.item) as DiscoveredResource).accepts : [];
  // With `upto`, the entry shows the maximum that the payer accepted, not the charged amount.
  const way = { ...requirements, amount: String(terms.amountUnits) };
  const accepts = [way, ...ways.filter((other) => !isSameWay(other, way))].slice(0, 16);
  const info = toShownInfo(payload.resource);
  const entry: DiscoveredResource = {
    resource,
    type: input.type,
    x402Version: 2,
    accepts,
    lastUpdated: new Date(settledAtMs).toISOString(),
    ...info,
    extensions: { [bazaarKey]: extension },
  };
  const item = JSON.stringify(entry);
  if (item.length > maxItemLength) {
    return { status: "rejected", rejectedReason: `The catalog entry exceeds ${maxItemLength} characters of JSON.` };
  }
  const words = [info.description, info.serviceName, ...(info.tags ?? []), resource].join(" ").toLowerCase();
  await store.putPaidResource(
    {
      ...key,
      payer: terms.payer,
      updatedAtMs: settledAtMs,
      type: input.type,
      schemes: [...new Set(accepts.map(({ scheme }) => scheme))],
      words: words.slice(0, maxWords),
      item,
    },
    limits,
  );
  return { status: "success" };
}

/** Lists the entries that match the filter, most recently updated first. */
export async function listResources(
  networks: readonly { caip2: string; store: PaymentStore }[],
  { network, extensions, payTo, query = "", type, scheme }: DiscoveryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<DiscoveredPage> {
  const isKnown = extensions === undefined || extensions.split(",").every((key) => key === bazaarKey);
  const isAddress = payTo === undefined || /^0x[0-9a-f]{40}$/i.test(payTo);
  const asked = networks.filter(({ caip2 }) => isKnown && isAddress && (network === undefined || network === caip2));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const filter = { type, scheme, payee: payTo?.toLowerCase() as `0x${string}` | undefined, words };
  const end = Math.min(offset + limit, limits.max * networks.length);
  const found = await Promise.all(
    asked.map(async ({ store }) => {
      const [total, keys] = await Promise.all([
        store.countPaidResources(filter),
        store.listPaidResources({ filter, limit: end }),
      ]);
      return { total, keys: keys.map((key) => ({ ...key, store })) };
    }),
  );
  const page = found
    .flatMap(({ keys }) => keys)
    .sort((one, other) => other.updatedAtMs - one.updatedAtMs)
    .slice(offset, end);
  const entries = await Promise.all(page.map(({ store, url, payee }) => store.findPaidResource({ url, payee })));
  return {
    items: entries.flatMap((entry) => (entry ? [entry.item] : [])),
    total: found.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Returns the declaration, or the reason why it is invalid. */
function readDeclaration(extension: unknown): Declaration | string {
  if (JSON.stringify(extension).length > maxItemLength) {
    return `The extension exceeds ${maxItemLength} characters of JSON.`;
  }
  const parsed = declaration.safeParse(extension);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return `${issue?.path.join(".") || "The extension"}: ${issue?.message ?? "invalid"}.`;
  }
  const { info, schema } = parsed.data;
  if (info.input.type === "http" && info.input.bodyType && /^(GET|HEAD|DELETE)$/.test(info.input.method ?? "")) {
    return `info.input.bodyType: ${info.input.method} requests have no body.`;
  }
  // The original `info` is checked, because parsing removed fields that only the extension's schema defines.
  return matchesSchema(schema, (extension as { info: unknown }).info)
    ? parsed.data
    : "info does not match the extension's schema.";
}

/**
 * Removes the query and the fragment from a URL, because they vary by request. If there is a route template, it
 * replaces the path.
 */
function findResourceUrl(text: string, { info, routeTemplate }: Declaration): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, host, pathname } = new URL(text);
  if (info.input.type === "mcp" && protocol === "mcp:") return `mcp://${host}${pathname}`;
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  return `${origin}${info.input.type === "http" && isRouteTemplate(routeTemplate) ? routeTemplate : pathname}`;
}

/**
 * Whether the text is a route template such as "/users/:id". Rejects a template that contains ".." or "://" after
 * repeated percent-decoding, because it could lead to another path or origin.
 */
function isRouteTemplate(text: unknown): text is string {
  if (typeof text !== "string" || text.length > 1_024 || !/^\/[\w/:.\-~%]+$/.test(text)) return false;
  let decoded = text;
  for (let pass = 0; pass < 5; pass++) {
    try {
      const next = decodeURIComponent(decoded);
      if (next === decoded) return !decoded.includes("..") && !decoded.includes("://");
      decoded = next;
    } catch {
      return false;
    }
  }
  return false;
}

function isSameWay(one: PaymentRequirements, other: PaymentRequirements): boolean {
  return (
    one.scheme === other.scheme &&
    one.network === other.network &&
    one.asset.toLowerCase() === other.asset.toLowerCase()
  );
}
