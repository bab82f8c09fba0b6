/**
 * The resources a node sells, as served by GET /.well-known/x402 and listed on a page. Types only; every entry can be
 * requested as is.
 */
import type { PaymentRequirements } from "@/lib/x402/types";

export type CatalogPrice = {
  scheme: "exact" | "upto";
  /** In dollars: "$0.05". For the upto scheme, the maximum charge. */
  amount: string;
  symbol: string;
  /** For metered pricing, the unit that is billed and the price per unit. */
  per?: { unit: string; amount: string };
};

export type CatalogEntry = {
  /** Absolute URL, including the network and the example's query. */
  resource: string;
  type: "http";
  x402Version: 2;
  method: "GET" | "POST";
  /** Last path segment, such as "block-digest". */
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** The network's name, such as "testnet". */
  network: string;
  price: CatalogPrice;
  accepts: PaymentRequirements[];
  /** For GET, the JSON Schema of the query; for POST, of the body. */
  input: Record<string, unknown>;
  /** A body that can be sent as is. */
  exampleBody?: unknown;
};

export type Catalog = { x402Version: 2; service: string; facilitator: string; items: CatalogEntry[] };

/** The path where each origin serves its catalog. */
export const catalogPath = "/.well-known/x402";
