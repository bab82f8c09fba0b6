/**
 * Types for the catalog of resources that a node sells. GET /.well-known/x402 returns the catalog, and a page lists it.
 * Every entry can be requested without changes.
 */
import type { PaymentRequirements } from "@/lib/x402/types";

export type CatalogPrice = {
  scheme: "exact" | "upto";
  /** The price in dollars, such as "$0.05". With `upto`, this is the maximum charge. */
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
  /** The JSON Schema of the query for GET, or of the body for POST. */
  input: Record<string, unknown>;
  /** An example of the request body, which can be sent unchanged. */
  exampleBody?: unknown;
};

export type Catalog = { x402Version: 2; service: string; facilitator: string; items: CatalogEntry[] };

/** The path where each origin serves its catalog. */
export const catalogPath = "/.well-known/x402";
